import type { ToastContent } from '@duet/ui'
import { createStore } from './observable-store.ts'

type ShowToast = (content: ToastContent) => void

interface ToastQueue {
  readonly queued: readonly ToastContent[]
  /** Undefined until the region is loaded. */
  readonly show: ShowToast | undefined
  readonly isHeld: boolean
}

const QUEUED_TOASTS_MAX = 20
const queue = createStore<ToastQueue>({ queued: [], show: undefined, isHeld: false })
queue.subscribe(flush)

/** Shows a short notice. Before the region is loaded, and while toasts are held, notices are queued. */
export function showToast(content: ToastContent): void {
  queue.update((state) => ({
    ...state,
    queued: [...state.queued, content].slice(-QUEUED_TOASTS_MAX),
  }))
}

/** Holds notices back while the call screen is shown; errors are never held. They are shown when the hold ends. */
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
  const due = isHeld ? queued.filter(({ kind }) => kind === 'error') : queued
  if (!show || due.length === 0) return
  queue.update((state) => ({
    ...state,
    queued: queued.filter((content) => !due.includes(content)),
  }))
  for (const content of due) show(content)
}
