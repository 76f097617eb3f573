import { Refused, Unanswered, type Connection } from '@duet/client'
import { t } from '../../lib/i18n.ts'
import { modals } from '../../lib/modals.ts'
import { showToast } from '../../lib/toasts.ts'
import { areaOf } from './error-texts.ts'
import { raise } from './outage.ts'

const registered_only = 109
const age_unconfirmed = 110
const no_balance = 301
const client_old = 902

/** What nobody treated in place. Some refusals say what to do next and open it; the rest is told by the one error dialog. */
export function report(error: unknown, connection: Connection): void {
  if (error instanceof Unanswered) return unanswered(connection)
  if (!(error instanceof Refused)) {
    reportError(error)
    return modals.open('error', { area: 'general', code: 0, http_status: 0, additional: {} })
  }
  const { code, http_status, additional } = error
  if (code === registered_only) return modals.open('register', { reason: 'registered_only' })
  if (code === age_unconfirmed) return modals.open('age_confirmation', {})
  if (code === no_balance) return modals.open('not_balance', {})
  if (code === client_old) return raise('new_version')
  modals.open('error', { area: areaOf(error.call), code, http_status, additional })
}

function unanswered(connection: Connection): void {
  if (navigator.onLine && connection.getSnapshot().phase === 'ready')
    showToast({ kind: 'error', title: t('error.unanswered'), text: t('error.unanswered_text') })
  else raise('no_network')
}
