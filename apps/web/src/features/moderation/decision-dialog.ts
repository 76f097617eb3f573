import { dialogs, type DialogInput } from '../../shared/dialogs.ts'
import { t, withTexts } from '../../shared/i18n.ts'
import { showToastInCall } from '../../shared/toasts.ts'
import { callPresent } from '../../shared/video/call-present.ts'

/**
 * Shows a decision about the user. Above a call the dialog would cover the picture, the end of the call and the panic
 * key: there a short notice stands, and the dialog follows the call.
 */
export function showDecision<Name extends 'statement' | 'penalty'>(
  name: Name,
  input: DialogInput<Name>,
): void {
  if (!callPresent.getSnapshot()) return dialogs.open(name, input)
  withTexts(() =>
    showToastInCall({
      kind: 'error',
      title: t('decision.in_call'),
      text: t('decision.after_call'),
    }),
  )
  const stop = callPresent.subscribe(() => {
    stop()
    dialogs.open(name, input)
  })
}
