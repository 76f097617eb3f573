import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react'
import { useAppServices } from '../app-services.tsx'

export interface Press<Args extends readonly unknown[], Answer> {
  readonly busy: boolean
  /** The arguments of the press that runs. */
  readonly running: Args | undefined
  /** The sentence about the last press that failed, until the next press. */
  readonly sentence: string | undefined
  /** Starts the work. While a press runs, another press does nothing. Resolves with undefined when the work did not succeed. */
  readonly press: (...args: Args) => Promise<Answer | undefined>
  /** Removes the sentence, when the user changes a field. */
  readonly clear: () => void
}

/** A sentence goes to the screen that reads `sentence`. True if the screen has shown the error in another way. */
type Shown = string | boolean | undefined

/**
 * The work behind a control. The control is busy while the work runs, so the work never runs twice at once. The work
 * continues after its screen is gone. If `showsError` does not show an error, the error dialog shows it.
 */
export function usePress<Args extends readonly unknown[], Answer>(
  work: (...args: Args) => Promise<Answer>,
  showsError: (error: unknown) => Shown = () => false,
): Press<Args, Answer> {
  const { report } = useAppServices()
  const [running, setRunning] = useState<Args>()
  const [sentence, setSentence] = useState<string>()
  const isRunning = useRef(false)
  const latest = useRef({ work, showsError, report })
  useEffect(() => {
    latest.current = { work, showsError, report }
  })
  const press = useCallback(async (...args: Args) => {
    if (isRunning.current) return undefined
    isRunning.current = true
    setRunning(args)
    setSentence(undefined)
    try {
      return await latest.current.work(...args)
    } catch (error) {
      const shown = latest.current.showsError(error)
      if (typeof shown === 'string') setSentence(shown)
      else if (!shown) latest.current.report(error)
      return undefined
    } finally {
      isRunning.current = false
      setRunning(undefined)
    }
  }, [])
  const clear = useCallback(() => setSentence(undefined), [])
  return { busy: running !== undefined, running, sentence, press, clear }
}

/** The `onSubmit` of a form. */
export function onSubmit(press: () => unknown): (event: FormEvent) => void {
  return (event) => {
    event.preventDefault()
    void press()
  }
}
