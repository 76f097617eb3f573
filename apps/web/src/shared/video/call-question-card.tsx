import { useEffect, useState } from 'react'
import type { Receipt } from '@duet/protocol'
import { Button } from '@duet/ui'
import { useAppServices } from '../app-services.tsx'
import { t } from '../i18n.ts'
import { createAccountStore } from '../account/account-store.ts'
import { usePress } from '../controls/use-press.ts'
import { mayAskAbout, sendOpinion } from './call-question.ts'

/** The call that the user is asked about now: nothing else moves on by itself meanwhile. */
export const askedCall = createAccountStore<number | null>(null)
/** The call whose question the user left without an answer. A later screen of the call does not ask again. */
const leftCall = createAccountStore<number | null>(null)

const OPINIONS = { good: 5, fair: 3, bad: 1 } as const

/** After a call with a bad connection, one question. The server decides whether to ask, at most once a day. */
export function CallQuestion({ receipt }: { receipt: Pick<Receipt, 'session_id' | 'seconds'> }) {
  const services = useAppServices()
  const { session_id, seconds } = receipt
  const [state, setState] = useState<'silent' | 'asked' | 'thanked'>('silent')
  useEffect(() => {
    if (seconds === 0 || leftCall.getSnapshot() === session_id) return
    let isShown = true
    mayAskAbout(services, session_id).then(
      (ask) => {
        if (!ask || !isShown) return
        setState('asked')
        askedCall.set(session_id)
      },
      // Without an answer of the server the user is not asked.
      () => {},
    )
    return () => {
      isShown = false
      if (askedCall.getSnapshot() === session_id) leftCall.set(session_id)
      askedCall.set(null)
    }
  }, [services, session_id, seconds])
  const { busy, press } = usePress(async (opinion: number) => {
    await sendOpinion(services, session_id, opinion)
    setState('thanked')
  })
  if (state === 'silent') return null
  if (state === 'thanked')
    return (
      <p role="status" className="note text-text-2">
        {t('video.question.thanks')}
      </p>
    )
  return (
    <section aria-label={t('video.question.title')} className="flex flex-col items-center gap-2">
      <p className="note text-text-2">{t('video.question.title')}</p>
      <div className="flex flex-wrap justify-center gap-2">
        {(['good', 'fair', 'bad'] as const).map((one) => (
          <Button key={one} size={44} disabled={busy} onClick={() => void press(OPINIONS[one])}>
            {t(`video.question.${one}`)}
          </Button>
        ))}
      </div>
    </section>
  )
}
