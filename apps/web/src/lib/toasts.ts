import type { ToastContent } from '@duet/ui'

type Show = (content: ToastContent) => void

const waiting_at_most = 20
let waiting: ToastContent[] = []
let show: Show | undefined
let isHeld = false

/** Shows a short notice. What comes before the region is loaded, or while `holdToasts` is on, waits. */
export function showToast(content: ToastContent): void {
  if (show && !isHeld) show(content)
  else waiting = [...waiting, content].slice(-waiting_at_most)
}

/** While in a call notices are kept for after it. */
export function holdToasts(hold: boolean): void {
  isHeld = hold
  if (!hold) release()
}

/** The region is there and takes over. */
export function mountToasts(by: Show): () => void {
  show = by
  release()
  return () => {
    show = undefined
  }
}

function release(): void {
  if (!show || isHeld) return
  for (const content of waiting.splice(0)) show(content)
}
