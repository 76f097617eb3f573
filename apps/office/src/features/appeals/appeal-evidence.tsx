import type { AppealCase, DeskAppeal } from '@duet/protocol'
import { cx } from '@duet/ui/class-names.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../shared/api.ts'
import { CaseEvidence } from '../../shared/evidence/case-evidence.tsx'
import { EarlierStatements } from '../../shared/evidence/earlier-statements.tsx'
import { useVeil, VeilButton } from '../../shared/evidence/veil.tsx'
import { CaseState, useCaseLook } from '../../shared/queue/case-look.tsx'
import { FrameStrip } from '../../shared/evidence/frame-strip.tsx'
import { t } from '../../shared/texts.ts'
import { TranslatedTexts, UserText } from '../../shared/translation/translated-texts.tsx'

/** The grounds of the act: the complaint with its evidence, the call with its frames, or what was removed. */
export function AppealEvidence({ appeal: { id, user } }: { appeal: DeskAppeal }) {
  const look = useCaseLook(['appeal', id], () => api.get('v2/manager/appeals/{id}', { id }))
  const { data } = look
  if (!data) return <CaseState look={look} />
  const { complaint_id, session_id, order_id, removed_text, statements } = data
  return (
    <>
      {removed_text !== null && (
        <TranslatedTexts texts={[removed_text]}>
          <section className="rounded-field bg-surface-1 p-3">
            <h2 className="text-text-2">{t('office.appeal.removed_text')}</h2>
            <p className="whitespace-pre-line break-words">
              <UserText>{removed_text}</UserText>
            </p>
          </section>
        </TranslatedTexts>
      )}
      {order_id !== null && <p>{t('office.findings.order', { id: order_id })}</p>}
      {session_id !== null && (
        <p>
          <Link
            className="underline"
            to={`/users/${user.id}/calls?call=${session_id}`}
            target="_blank"
          >
            {t('office.findings.call', { id: session_id })}
          </Link>
        </p>
      )}
      {complaint_id === null ? (
        <AppealPictures id={id} shown={data} />
      ) : (
        <ComplaintEvidence id={complaint_id} />
      )}
      <EarlierStatements statements={statements} />
    </>
  )
}

/** The same evidence as in the view of complaints. */
function ComplaintEvidence({ id }: { id: number }) {
  const look = useCaseLook(['complaint', id], () => api.get('v2/manager/complaints/{id}', { id }))
  const { data } = look
  if (!data) return <CaseState look={look} />
  return (
    <CaseEvidence shown={data}>
      <h2 className="font-medium">{t('office.appeal.complaint', { id })}</h2>
    </CaseEvidence>
  )
}

function AppealPictures({ id, shown: { frames, has_picture } }: { id: number; shown: AppealCase }) {
  const veil = useVeil()
  const [frame, chooseFrame] = useState<string>()
  if (!has_picture && frames.length === 0)
    return <p className="text-text-2">{t('office.evidence.none')}</p>
  return (
    <section aria-label={t('office.evidence.title')} className="flex flex-col items-start gap-2">
      <VeilButton {...veil} />
      {has_picture && (
        <img
          alt={t('office.appeal.picture')}
          className={cx(
            'max-h-[480px] max-w-full rounded-field object-contain',
            !veil.isClear && 'veiled',
          )}
          src={`/api/v2/manager/appeals/${id}/picture`}
        />
      )}
      <FrameStrip
        frames={frames}
        begun={frames[0]?.at ?? ''}
        source={(frame) => `/api/v2/manager/appeals/${id}/frames/${frame}`}
        isClear={veil.isClear}
        chosen={frame}
        onChoose={chooseFrame}
      />
    </section>
  )
}
