import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { KeyCap } from '@duet/ui/controls/key-cap.tsx'
import { errorSentence } from '../api.ts'
import { t } from '../texts.ts'

/** A decision is sent after this time, unless it is taken back. */
export const UNDO_SECONDS = 10

interface Decision {
  readonly id: string
  readonly says: string
  readonly send: () => Promise<unknown>
}
interface Pending {
  /** The cases that are decided here, and are still in the list of the server. */
  readonly hidden: ReadonlySet<string>
  readonly waiting: Decision | undefined
  readonly error: unknown
  readonly decide: (decision: Decision, when: 'now' | 'later') => void
  readonly undo: () => void
}

const PendingContext = createContext<Pending | undefined>(undefined)

export function usePending(): Pending {
  const pending = useContext(PendingContext)
  if (!pending) throw new Error('Impossible: a queue has its decisions around it')
  return pending
}

/** Keeps one decision for the time in which it can be taken back. The next decision, and leaving the page, send it. */
export function PendingProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [waiting, setWaiting] = useState<Decision>()
  const [error, setError] = useState<unknown>(null)
  const latest = useRef<Decision>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const show = (id: string) => setHidden((ids) => new Set([...ids].filter((one) => one !== id)))
  const send = (decision: Decision) => {
    decision
      .send()
      .then(() => setError(null))
      .catch((failed: unknown) => {
        setError(failed)
        show(decision.id)
      })
      .finally(() => void queries.invalidateQueries({ queryKey: ['queue'] }))
  }
  const flush = () => {
    clearTimeout(timer.current)
    const decision = latest.current
    latest.current = undefined
    setWaiting(undefined)
    if (decision) send(decision)
  }
  const decide = (decision: Decision, when: 'now' | 'later') => {
    flush()
    setHidden((ids) => new Set([...ids, decision.id]))
    if (when === 'now') return send(decision)
    latest.current = decision
    setWaiting(decision)
    timer.current = setTimeout(flush, UNDO_SECONDS * 1000)
  }
  const undo = () => {
    clearTimeout(timer.current)
    if (latest.current) show(latest.current.id)
    latest.current = undefined
    setWaiting(undefined)
  }
  const end = useRef(flush)
  end.current = flush
  useEffect(() => {
    const leave = () => end.current()
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
  return (
    <PendingContext value={{ hidden, waiting, error, decide, undo }}>{children}</PendingContext>
  )
}

/** The decision that can be taken back, or why the last one failed. */
export function PendingBar() {
  const { waiting, error, undo } = usePending()
  if (waiting)
    return (
      <div
        role="status"
        className="flex shrink-0 items-center justify-between gap-3 border-t border-hair bg-surface-2 px-4 py-2"
      >
        <span>{t('office.undo.says', { what: waiting.says, seconds: UNDO_SECONDS })}</span>
        <Button size={30} variant="outline" onClick={undo}>
          {t('office.undo.press')} <KeyCap>U</KeyCap>
        </Button>
      </div>
    )
  if (error) return <Banner tone="danger">{errorSentence(error)}</Banner>
  return null
}
