import { useEffect, useId, useState } from 'react'
import { Button } from '@duet/ui'
import { callPresent } from '../../../shared/video/call-present.ts'
import { callScreenShown } from '../../../shared/video/call-screen-shown.ts'
import { useStatisticsChoice } from '../../../shared/account/statistics-choice.ts'
import {
  chooseStatistics,
  storeStatisticsChoiceIn,
} from '../../../shared/account/statistics-consent.ts'
import { useAppServices } from '../../../shared/app-services.tsx'
import { countCalls } from './count-calls.ts'
import { t } from '../../../shared/i18n.ts'
import { useStore } from '../../../shared/observable-store.ts'

/** Counts calls, and asks first. It is loaded only where the installation has services of statistics. */
export function Statistics() {
  const services = useAppServices()
  const [isStarted, setStarted] = useState(false)
  useEffect(() => {
    storeStatisticsChoiceIn(services.persistence)
    setStarted(true)
    return countCalls(services)
  }, [services])
  return isStarted ? <Question /> : null
}

/** Asks once, with two equal answers, whether services of statistics may count calls. It never covers a call. */
function Question() {
  const id = useId()
  const choice = useStatisticsChoice()
  const isInCall = [useStore(callPresent), useStore(callScreenShown)].includes(true)
  const answer = (isPermitted: boolean) => {
    chooseStatistics(isPermitted)
    // The pressed button is gone: the keyboard continues at the beginning of the page.
    document.getElementById('page')?.focus({ preventScroll: true })
  }
  if (!choice || choice.permitted !== undefined || isInCall) return null
  return (
    <section
      aria-labelledby={id}
      className="panel fixed inset-x-3 bottom-[calc(96px+env(safe-area-inset-bottom))] z-sticky mx-auto flex max-w-[520px] flex-col gap-3 rounded-row! bg-surface-1 p-4 text-text md:bottom-6"
    >
      <h2 id={id} className="ui">
        {t('statistics.title')}
      </h2>
      <p className="note text-text-2">{t('statistics.text', { names: choice.names })}</p>
      <div className="flex flex-wrap gap-2.5">
        <Button variant="outline" onClick={() => answer(false)}>
          {t('statistics.refuse')}
        </Button>
        <Button variant="outline" onClick={() => answer(true)}>
          {t('statistics.allow')}
        </Button>
      </div>
    </section>
  )
}
