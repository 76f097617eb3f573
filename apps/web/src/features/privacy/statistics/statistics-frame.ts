import type { Goal } from '@duet/protocol/kernel/entities.ts'

let frame: { readonly element: HTMLIFrameElement; readonly loaded: Promise<void> } | undefined

/**
 * Sends a goal to the frame in which the scripts of the services run. The first goal opens the frame. The sandbox gives it
 * an origin of its own: the scripts reach nothing of this page, and the frame takes the names of goals only.
 */
export function sendGoal(goal: Goal): void {
  frame ??= openFrame()
  const { element, loaded } = frame
  // The origin of the frame has no name.
  void loaded.then(() => element.contentWindow?.postMessage(goal, '*'))
}

/** Ends the scripts of the services. */
export function closeStatisticsFrame(): void {
  frame?.element.remove()
  frame = undefined
}

function openFrame(): NonNullable<typeof frame> {
  const element = document.createElement('iframe')
  element.hidden = true
  element.title = 'Statistics'
  element.setAttribute('sandbox', 'allow-scripts')
  // The frame does not learn the address of the page.
  element.referrerPolicy = 'no-referrer'
  element.src = '/statistics'
  const loaded = new Promise<void>((resolve) =>
    element.addEventListener('load', () => resolve(), { once: true }),
  )
  document.body.append(element)
  return { element, loaded }
}
