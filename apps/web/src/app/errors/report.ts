import { NoAnswerError, RefusedError, type ClientConnection } from '@duet/client'
import { t, withTexts } from '../../shared/i18n.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { showToast } from '../../shared/toasts.ts'
import { features } from '../features.ts'
import { showOutage, showProblem } from './outage.ts'

const AREAS: Readonly<Record<string, string>> = Object.assign(
  {},
  ...features.map(({ errorAreas }) => errorAreas),
)

/** The area of an action or endpoint, for the title of the error dialog. */
export function getArea(call: string): string {
  return AREAS[call] ?? 'general'
}

/**
 * Shows an error that no screen handled. Some refusals open the dialog of the next step. All others open the error
 * dialog.
 */
export function report(error: unknown, connection: ClientConnection): void {
  if (error instanceof NoAnswerError) return unanswered(connection)
  if (!(error instanceof RefusedError)) {
    reportError(error)
    return dialogs.open('error', {
      area: 'general',
      refusal: 'unknown',
      code: 0,
      http_status: 0,
      additional: {},
    })
  }
  const { refusal, additional } = error
  if (refusal === 'registered_only') return dialogs.open('register', { reason: 'registered_only' })
  if (refusal === 'age_unconfirmed')
    return additional.proof === 'provider'
      ? dialogs.open('age_proof', { provider: String(additional.provider) })
      : dialogs.open('age_confirmation', {})
  if (refusal === 'no_balance') return dialogs.open('not_balance', {})
  if (refusal === 'premium_only' || refusal === 'message_limit')
    return void openPremium(error, connection)
  if (refusal === 'client_old') return showOutage('new_version')
  openErrorDialog(error)
}

function openErrorDialog(error: RefusedError): void {
  const { refusal, code, http_status, additional } = error
  dialogs.open('error', { area: getArea(error.call), refusal, code, http_status, additional })
}

/** The shop, at Premium; where nothing is sold, the error dialog. */
async function openPremium(error: RefusedError, connection: ClientConnection): Promise<void> {
  const system = await connection.system().catch(() => undefined)
  if (system?.features.payments.on) dialogs.open('not_balance', { place: 'premium' })
  else openErrorDialog(error)
}

function unanswered(connection: ClientConnection): void {
  if (navigator.onLine && connection.getSnapshot().phase === 'ready')
    withTexts(() =>
      showToast({ kind: 'error', title: t('error.unanswered'), text: t('error.unanswered_text') }),
    )
  else showProblem(navigator.onLine ? connection.getSnapshot().problem : undefined)
}
