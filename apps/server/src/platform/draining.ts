import type { App } from '../core/app.ts'

const draining = new WeakSet<App>()

/** From here on this process takes nothing new: a graceful stop began. */
export function beginDraining(app: App): void {
  draining.add(app)
}

export function isDraining(app: App): boolean {
  return draining.has(app)
}
