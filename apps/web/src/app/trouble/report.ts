import { NoAnswerError, RefusedError, type Connection } from '@duet/client'
import { t } from '../../lib/i18n.ts'
import { modals } from '../../lib/modals.ts'
import { showToast } from '../../lib/toasts.ts'
import { areaOf } from './error-texts.ts'
import { raise } from './outage.ts'

/** What nobody treated in place. Some refusals say what to do next and open it; the rest is told by the one error dialog. */
export function report(error: unknown, connection: Connection): void {
  if (error instanceof NoAnswerError) return unanswered(connection)
  if (!(error instanceof RefusedError)) {
    reportError(error)
    return modals.open('error', {
      area: 'general',
      refusal: 'unknown',
      code: 0,
      http_status: 0,
      additional: {},
    })
  }
  const { refusal, code, http_status, additional } = error
  if (refusal === 'registered_only') return modals.open('register', { reason: 'registered_only' })
  if (refusal === 'age_unconfirmed') return modals.open('age_confirmation', {})
  if (refusal === 'no_balance') return modals.open('not_balance', {})
  if (refusal === 'client_old') return raise('new_version')
  modals.open('error', { area: areaOf(error.call), refusal, code, http_status, additional })
}

function unanswered(connection: Connection): void {
  if (navigator.onLine && connection.getSnapshot().phase === 'ready')
    showToast({ kind: 'error', title: t('error.unanswered'), text: t('error.unanswered_text') })
  else raise('no_network')
}
