import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { GavelIcon } from '@phosphor-icons/react/dist/csr/Gavel'
import { CountdownConfirm } from '@duet/ui'
import { useAppServices } from '../../shared/app-services.tsx'
import { dialogs, type OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'
import { Appeal } from './appeal.tsx'
import { BrokenRule } from './broken-rule.tsx'
import { reasonText, timeText } from './sanction-texts.ts'
import { StatementEvidence } from './statement-evidence.tsx'

const TITLED = ['photo', 'text', 'gifts'] as const

function titleWord(kind: string) {
  return TITLED.find((one) => one === kind) ?? 'warning'
}

/** A warning, or what was removed and why. It counts as read when it could be read and was closed; then the next one follows. */
export function StatementDialog({ input, open, close }: OpenDialogProps<'statement'>) {
  const { id } = input
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const { data: statement, isError } = useQuery({
    queryKey: ['statements', 'one', id],
    queryFn: () => connection.http.get('statements/{id}', { id }),
  })
  const confirm = () => {
    close()
    void connection.http
      .post('statements/{id}/read', { id })
      .then(({ next }) => {
        if (next !== null) dialogs.open('statement', { id: next })
        return queries.invalidateQueries({ queryKey: ['statements'] })
      })
      // The statement stays unread, and the next visit shows the statement again.
      .catch(() => {})
  }
  // Without an answer nothing is shown, and the statement stays unread.
  useEffect(() => {
    if (isError) close()
  }, [isError, close])
  if (!statement) return null
  const { kind, reason, comment, at, automatic, can_appeal, appeal } = statement
  return (
    <CountdownConfirm
      open={open}
      seconds={3}
      emblem={<GavelIcon size={28} weight="duotone" />}
      title={t(`statement.title.${titleWord(kind)}`)}
      description={
        <span className="inline-block first-letter:uppercase">{reasonText(reason)}</span>
      }
      ready={t('penalty.ready')}
      confirm={{
        label: t('penalty.read'),
        waiting: (seconds) => t('penalty.read_in', { seconds }),
        variant: 'primary',
        onPress: confirm,
      }}
    >
      {comment ? <p className="body whitespace-pre-line break-words">{comment}</p> : null}
      <p className="note mt-2 text-text-2">
        {t(automatic ? 'statements.by_program' : 'statements.by_staff', { time: timeText(at) })}
      </p>
      {kind === 'warning' ? (
        <p className="note mt-2 text-text-2">{t('statement.if_again')}</p>
      ) : null}
      <BrokenRule rule={statement.rule} />
      <StatementEvidence statement={statement} />
      <Appeal statement_id={id} can_appeal={can_appeal} appeal={appeal} />
    </CountdownConfirm>
  )
}
