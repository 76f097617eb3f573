import type { ToastContent } from '@duet/ui'
import { createStore } from './observable-store.ts'

type ShowToast = (content: ToastContent) => void

interface QueuedToast {
  readonly content: ToastContent
  /** Also shown over the call screen. */
  readonly in_call: boolean
}

interface ToastQueue {
  readonly queued: readonly QueuedToast[]
  /** Undefined until the region is loaded. */
  readonly show: ShowToast | undefined
  readonly isHeld: boolean
}

const QUEUED_TOASTS_MAX = 20
const queue = createStore<ToastQueue>({ queued: [], show: undefined, isHeld: false })
queue.subscribe(flush)

/** Shows a short notice. Before the region is loaded, and while toasts are held, notices are queued. */
export function showToast(content: ToastContent): void {
  enqueue({ content, in_call: content.kind === 'error' })
}

/** Shows a short notice also over the call screen: it loses its worth when it waits for the end of the call. */
export function showToastInCall(content: ToastContent): void {
  enqueue({ content, in_call: true })
}

function enqueue(toast: QueuedToast): void {
  queue.update((state) => ({
    ...state,
    queued: [...state.queued, toast].slice(-QUEUED_TOASTS_MAX),
  }))
}

/** Holds notices back while the call screen is shown, except errors and what is meant for calls too. They are shown when the hold ends. */
export function holdToasts(isHeld: boolean): void {
  queue.update((state) => ({ ...state, isHeld }))
}

/** Connects the region that shows toasts. Returns the disconnect function. */
export function mountToasts(show: ShowToast): () => void {
  queue.update((state) => ({ ...state, show }))
  return () => queue.update((state) => ({ ...state, show: undefined }))
}

function flush(): void {
  const { show, isHeld, queued } = queue.getSnapshot()
  const due = isHeld ? queued.filter(({ in_call }) => in_call) : queued
  if (!show || due.length === 0) return
  queue.update((state) => ({
    ...state,
    queued: queued.filter((toast) => !due.includes(toast)),
  }))
  for (const { content } of due) show(content)
}
