import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Appeal as AppealState } from '@duet/protocol/kernel/sanctions.ts'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { Button, TextArea } from '@duet/ui'
import { useAppServices } from '../../shared/app-services.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import { t } from '../../shared/i18n.ts'

interface AppealProps {
  statement_id: number
  can_appeal: boolean
  appeal: AppealState | undefined
}

/** The appeal against a decision: its state, or the form for it. */
export function Appeal({ statement_id, can_appeal, appeal: known }: AppealProps) {
  const [sent, setSent] = useState<AppealState>()
  const appeal = sent ?? known
  if (appeal)
    return (
      <p role="status" className="body mt-3 whitespace-pre-line break-words text-text-2">
        {t(`appeal.${appeal.state}`, { answer: appeal.answer ?? '' })}
      </p>
    )
  return can_appeal ? <AppealForm statementId={statement_id} onSent={setSent} /> : null
}

function AppealForm({
  statementId,
  onSent,
}: {
  statementId: number
  onSent: (appeal: AppealState) => void
}) {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const { busy, press } = usePress(async () => {
    onSent(await connection.http.post('appeals', { statement_id: statementId, text: text.trim() }))
    await queries.invalidateQueries({ queryKey: ['statements'] })
  })
  if (!isOpen)
    return (
      <Button className="mt-3" size={36} variant="outline" onClick={() => setOpen(true)}>
        {t('appeal.open')}
      </Button>
    )
  return (
    <div className="mt-3 flex flex-col gap-3">
      <TextArea
        label={t('appeal.label')}
        help={t('appeal.help')}
        rows={4}
        maxLength={limits.comment_characters}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button
        className="self-start"
        variant="primary"
        busy={busy}
        disabled={text.trim() === ''}
        onClick={() => void press()}
      >
        {t('appeal.send')}
      </Button>
    </div>
  )
}
