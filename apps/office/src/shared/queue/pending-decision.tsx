import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useRef, useState, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { KeyCap } from '@duet/ui/controls/key-cap.tsx'
import { errorSentence } from '../api.ts'
import { useKeys } from '../keys/use-keys.ts'
import { t } from '../texts.ts'
import { useAtEnd } from '../use-at-end.ts'

/** A decision is sent after this time, unless it is taken back. */
export const UNDO_SECONDS = 10

interface Decision {
  readonly id: string
  readonly says: string
  /** A sentence that it answers is shown to the member of staff. */
  readonly send: () => Promise<unknown>
  /** The values of its form. */
  readonly draft?: object
}
/** A decision with the address of its form. */
interface Placed extends Decision {
  readonly place: string
}
interface Failed {
  readonly decision: Placed
  readonly error: unknown
}
interface Pending {
  /** The cases that are decided here, and are still in the list of the server. */
  readonly hidden: ReadonlySet<string>
  readonly waiting: Placed | undefined
  readonly failed: Failed | undefined
  /** The sentence that the last one answered. */
  readonly told: string | undefined
  /** The last one that was taken back, or could not be sent. */
  readonly returned: Placed | undefined
  readonly decide: (decision: Placed, when: 'now' | 'later') => void
  readonly undo: () => void
  readonly retry: () => void
  readonly dismiss: () => void
}

const PendingContext = createContext<Pending | undefined>(undefined)

function useAllPending(): Pending {
  const pending = useContext(PendingContext)
  if (!pending) throw new Error('Impossible: the frame has its decisions around it')
  return pending
}

/** The queue of a page: the numbers of cases are unique within their queue only. */
export const QueueKey = createContext('')

const keyInQueue = (queue: string, id: string) => `${queue} ${id}`

/** The decisions of the queue around. */
export function usePending() {
  const { decide, hidden } = useAllPending()
  const queue = useContext(QueueKey)
  const { pathname, search } = useLocation()
  return {
    isHidden: (id: string) => hidden.has(keyInQueue(queue, id)),
    decide: (decision: Decision, when: 'now' | 'later') =>
      decide({ ...decision, id: keyInQueue(queue, decision.id), place: pathname + search }, when),
  }
}

/** The values of the form of a case: after an undo the form begins with those that it had. */
export function useDraft<Values extends object>(id: string, empty: Values) {
  const { returned } = useAllPending()
  const key = keyInQueue(useContext(QueueKey), id)
  const [values, setValues] = useState(
    () => (returned?.id === key && (returned.draft as Values)) || empty,
  )
  const change = (part: Partial<Values>) => setValues((now) => ({ ...now, ...part }))
  return [values, change] as const
}

/**
 * Keeps one decision for the time in which it can be taken back, on every page. The next decision, and closing the
 * office, send it.
 */
export function PendingProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [waiting, setWaiting] = useState<Placed>()
  const [failed, setFailed] = useState<Failed>()
  const [told, setTold] = useState<string>()
  const [returned, setReturned] = useState<Placed>()
  const navigate = useNavigate()
  const latest = useRef<Placed>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const show = (id: string) => setHidden((ids) => new Set([...ids].filter((one) => one !== id)))
  const send = async (decision: Placed) => {
    try {
      const answer = await decision.send()
      if (typeof answer === 'string') setTold(answer)
    } catch (error) {
      setFailed({ decision, error })
      setReturned(decision)
    }
    // A later list decides: the same user can be found again.
    await queries.invalidateQueries({ queryKey: ['queue'] })
    show(decision.id)
  }
  const takeWaiting = () => {
    clearTimeout(timer.current)
    const decision = latest.current
    latest.current = undefined
    setWaiting(undefined)
    return decision
  }
  const flush = () => {
    const decision = takeWaiting()
    if (decision) void send(decision)
  }
  const decide = (decision: Placed, when: 'now' | 'later') => {
    flush()
    setReturned(undefined)
    setHidden((ids) => new Set([...ids, decision.id]))
    if (when === 'now') return void send(decision)
    latest.current = decision
    setWaiting(decision)
    timer.current = setTimeout(flush, UNDO_SECONDS * 1000)
  }
  const undo = () => {
    const decision = takeWaiting()
    if (!decision) return
    show(decision.id)
    setReturned(decision)
    if (decision.draft) void navigate(decision.place)
  }
  const dismiss = () => {
    setFailed(undefined)
    setTold(undefined)
  }
  const retry = () => {
    if (!failed) return
    dismiss()
    decide(failed.decision, 'now')
  }
  useAtEnd(flush)
  return (
    <PendingContext
      value={{ hidden, waiting, failed, told, returned, decide, undo, retry, dismiss }}
    >
      {children}
    </PendingContext>
  )
}

/** The decision that can be taken back, or why the last one failed. */
export function PendingBar() {
  const { waiting, failed, told, undo, retry, dismiss } = useAllPending()
  useKeys({ u: waiting && undo })
  return (
    <>
      {failed && (
        <Banner
          tone="danger"
          action={
            <>
              <Button size={30} variant="outline" onClick={retry}>
                {t('action.retry')}
              </Button>
              <Button size={30} variant="quiet" onClick={dismiss}>
                {t('action.close')}
              </Button>
            </>
          }
        >
          {t('office.undo.failed', { what: failed.decision.says })} {errorSentence(failed.error)}
        </Banner>
      )}
      {told !== undefined && (
        <Banner
          action={
            <Button size={30} variant="quiet" onClick={dismiss}>
              {t('action.close')}
            </Button>
          }
        >
          {told}
        </Banner>
      )}
      {waiting && (
        <div
          role="status"
          className="flex shrink-0 items-center justify-between gap-3 border-t border-hair bg-surface-2 px-4 py-2"
        >
          <span>{t('office.undo.says', { what: waiting.says, seconds: UNDO_SECONDS })}</span>
          <Button size={30} variant="outline" onClick={undo}>
            {t('office.undo.press')} <KeyCap>U</KeyCap>
          </Button>
        </div>
      )}
    </>
  )
}
