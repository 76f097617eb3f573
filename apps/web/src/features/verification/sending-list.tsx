import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { WarningIcon } from '@phosphor-icons/react/dist/csr/Warning'
import { ProgressLine } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { getPictures, type DocumentUpload } from './send-documents.ts'
import { getPictureLabel, type VerificationDraft } from './verification-draft.ts'

/** The pictures on their way, each with its progress. After a failure the list shows which pictures have arrived. */
export function SendingList({
  draft,
  shares,
  is_sending,
}: { draft: VerificationDraft } & Pick<DocumentUpload, 'shares' | 'is_sending'>) {
  const names = [...getPictures(draft).keys()].filter((name) => shares[name] !== undefined)
  if (names.length === 0) return null
  const current = names.find((name) => shares[name]! < 1)
  return (
    <ul aria-label={t('verification.sending')} className="flex flex-col gap-3">
      {names.map((name) => (
        <SendingRow
          key={name}
          label={getPictureLabel(name, draft)}
          share={shares[name]!}
          state={getState(shares[name]!, is_sending, name === current)}
        />
      ))}
    </ul>
  )
}

type SendingState = 'sent' | 'sending' | 'waiting' | 'not_sent'

function getState(share: number, isSending: boolean, isCurrent: boolean): SendingState {
  if (share >= 1) return 'sent'
  if (!isSending) return 'not_sent'
  return isCurrent ? 'sending' : 'waiting'
}

function SendingRow({
  label,
  share,
  state,
}: {
  label: string
  share: number
  state: SendingState
}) {
  const text =
    state === 'sending'
      ? t('verification.progress', { percent: Math.round(share * 100) })
      : t(`verification.picture.${state}`)
  return (
    <li className="flex flex-col gap-1.5">
      <p className="note flex items-center justify-between gap-3">
        <span className="text-text">{label}</span>
        <span className="inline-flex items-center gap-1.5 text-text-2">
          {state === 'sent' ? <CheckIcon size={16} weight="bold" className="text-ok" /> : null}
          {state === 'not_sent' ? <WarningIcon size={16} className="text-danger" /> : null}
          {text}
        </span>
      </p>
      <ProgressLine
        tone={state === 'sent' ? 'ok' : 'ember'}
        value={share}
        label={t('verification.picture.progress', { label, state: text })}
      />
    </li>
  )
}
