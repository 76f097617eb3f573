import type { ToastContent } from '@duet/ui'
import { createAccountStore } from './account/account-store.ts'

type ShowToast = (content: ToastContent) => void

interface QueuedToast {
  readonly content: ToastContent
  /** Also shown over the call screen. */
  readonly in_call: boolean
}

interface ToastRegion {
  readonly show: ShowToast
  readonly hideAll: () => void
}

const QUEUED_TOASTS_MAX = 20
const queue = createAccountStore<readonly QueuedToast[]>([], () => {
  queue.set([])
  region?.hideAll()
})
/** Undefined until the region is loaded. */
let region: ToastRegion | undefined
let isHeld = false

/** Shows a short notice. Before the region is loaded, and while toasts are held, notices are queued. */
export function showToast(content: ToastContent): void {
  enqueue({ content, in_call: content.kind === 'error' })
}

/** Shows a short notice also over the call screen: it loses its worth when it waits for the end of the call. */
export function showToastInCall(content: ToastContent): void {
  enqueue({ content, in_call: true })
}

function enqueue(toast: QueuedToast): void {
  queue.update((queued) => [...queued, toast].slice(-QUEUED_TOASTS_MAX))
  flush()
}

/**
 * While the call screen is shown, holds back notices except errors and notices for calls. Held notices appear when the
 * hold ends.
 */
export function holdToasts(holds: boolean): void {
  isHeld = holds
  flush()
}

/** Connects the region that shows toasts. Returns the disconnect function. */
export function mountToasts(show: ShowToast, hideAll: () => void = () => {}): () => void {
  region = { show, hideAll }
  flush()
  return () => {
    region = undefined
  }
}

function flush(): void {
  const queued = queue.getSnapshot()
  const due = isHeld ? queued.filter(({ in_call }) => in_call) : queued
  if (!region || due.length === 0) return
  queue.set(queued.filter((toast) => !due.includes(toast)))
  for (const { content } of due) region.show(content)
}
