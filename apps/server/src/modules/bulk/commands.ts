import type { OperatorCommand } from '../../core/module.ts'
import { listStops } from './desk.ts'

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'bulk list': {
    args: '',
    summary: 'People who were stopped because they did many acts at once; the office allows more.',
    run: async (app) => (await listStops(app)).stops,
  },
}
