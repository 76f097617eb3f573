import { FlagIcon } from '@phosphor-icons/react/dist/csr/Flag'
import type { Message } from '@duet/protocol'
import { t } from '../../../shared/i18n.ts'
import { report } from '../../../shared/people/report.ts'
import { useMessengerState } from '../use-messenger.ts'

/** Beside a text of the interlocutor. A mouse shows it over the message, and the keyboard where it has the focus. */
export function ReportMessage({ message: { dialog_id, message_id } }: { message: Message }) {
  const person = useMessengerState(({ dialogs }) => dialogs.get(dialog_id)?.interlocutor)
  if (!person) return null
  return (
    <button
      type="button"
      aria-label={t('messenger.report')}
      title={t('messenger.report')}
      className="hit shrink-0 rounded-tag p-1 text-text-3 hover:text-text focus-visible:opacity-100 pointer-fine:opacity-0 pointer-fine:group-hover:opacity-100"
      onClick={() => report({ person, message_id })}
    >
      <FlagIcon size={16} />
    </button>
  )
}
