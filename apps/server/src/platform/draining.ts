import type { App } from '../core/app.ts'

const draining = new WeakSet<App>()

/** Begins a graceful stop: from here on, this process accepts nothing new. */
export function beginDraining(app: App): void {
  draining.add(app)
}

export function isDraining(app: App): boolean {
  return draining.has(app)
}
