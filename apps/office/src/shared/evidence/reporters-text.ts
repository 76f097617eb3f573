import type { DeskComplaint } from '@duet/protocol'
import { t } from '../texts.ts'

/** How many different people wait for a decision about the accused. */
export function reportersText({ reporters, paying }: DeskComplaint): string {
  return t('office.complaint.reporters', { reporters, paying })
}
