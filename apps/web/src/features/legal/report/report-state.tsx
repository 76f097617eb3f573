import { useQuery } from '@tanstack/react-query'
import { CheckCircleIcon } from '@phosphor-icons/react/dist/csr/CheckCircle'
import { CircleDashedIcon } from '@phosphor-icons/react/dist/csr/CircleDashed'
import { EyeIcon } from '@phosphor-icons/react/dist/csr/Eye'
import { EyeSlashIcon } from '@phosphor-icons/react/dist/csr/EyeSlash'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { isRefused } from '@duet/client'
import type { ReportState as State } from '@duet/protocol'
import { buttonLook } from '@duet/ui'
import { useAppServices } from '../../../shared/app-services.tsx'
import { AbsentPanel } from '../../../shared/controls/absent-panel.tsx'
import { t } from '../../../shared/i18n.ts'
import { formatDay } from '../../../shared/texts/format-day.ts'
import { ReadingPage } from '../reading-page.tsx'

/** `/report/state#secret`: how a report stands. The secret is behind the #, so that no server writes it to a log. */
export function ReportState() {
  const secret = useLocation().hash.slice(1)
  const { connection } = useAppServices()
  const { data, isError, refetch } = useQuery({
    queryKey: ['report', secret],
    queryFn: async () => {
      try {
        return await connection.http.post('reports/state', { secret })
      } catch (error) {
        const isUnknown =
          isRefused(error, 'POST reports/state', 'not_found') ||
          isRefused(error, 'POST reports/state', 'invalid')
        if (isUnknown) return null
        throw error
      }
    },
    retry: false,
  })
  return (
    <ReadingPage title={t('report.state.title')}>
      <div className="mt-9">
        {data === undefined ? (
          <AbsentPanel
            isFailed={isError}
            failed={t('report.state.failed')}
            onRetry={() => void refetch()}
          />
        ) : data === null ? (
          <UnknownReport />
        ) : (
          <KnownReport state={data} />
        )}
      </div>
    </ReadingPage>
  )
}

function UnknownReport() {
  return (
    <div className="panel flex flex-col items-start gap-5 p-6 md:p-9">
      <p className="body text-text-2">{t('report.state.unknown')}</p>
      <Link to="/report" className={buttonLook()}>
        {t('report.state.new')}
      </Link>
    </div>
  )
}

function KnownReport({ state }: { state: State }) {
  const { receipt, kind, create_time, answer_until, decided_at, decision, answer } = state
  return (
    <div className="panel p-6 md:p-9">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div className="flex flex-col">
          <span className="note text-text-2">{t('report.receipt.number')}</span>
          <span className="display-s figures">{receipt}</span>
        </div>
        <span className="note text-text-2">{t(`report.${kind}.name`)}</span>
      </div>
      <ol className="mt-8 flex flex-col gap-6">
        <Step icon={<Done />} title={t('report.state.received')} text={formatDay(create_time)} />
        <PicturesStep state={state} />
        <ShownStep state={state} />
        {decided_at && decision ? (
          <Step icon={<Done />} title={decisionText(state)} text={formatDay(decided_at)}>
            {answer ? (
              <p className="body mt-3 rounded-row bg-surface-2 p-4 whitespace-pre-line">{answer}</p>
            ) : null}
          </Step>
        ) : (
          <Step
            icon={<CircleDashedIcon size={24} className="text-text-3" />}
            title={t('report.state.waiting')}
            text={t('report.state.until', { day: formatDay(answer_until) })}
          />
        )}
      </ol>
    </div>
  )
}

function decisionText({ kind, decision, answer }: State): string {
  if (decision === 'upheld' && answer === '') return t('report.state.by_clock')
  if (kind === 'authority') return t('report.state.answered')
  return t(decision === 'upheld' ? 'report.state.upheld' : 'report.state.rejected')
}

function PicturesStep({
  state: { kind, pictures, shown, refused_again, decision },
}: {
  state: State
}) {
  if (kind !== 'intimate_image' || decision === 'rejected') return null
  if (pictures === 0 && (shown > 0 || !refused_again)) return null
  return (
    <Step
      icon={<EyeSlashIcon size={24} weight="duotone" className="text-ember-hi" />}
      title={t(decision ? 'report.state.removed' : 'report.state.hidden', { count: pictures })}
      text={refused_again ? t('report.state.refused_again') : ''}
    />
  )
}

/** Nothing is decided about these copies. */
function ShownStep({ state: { shown, decision } }: { state: State }) {
  if (shown === 0 || decision) return null
  return (
    <Step
      icon={<EyeIcon size={24} weight="duotone" className="text-text-3" />}
      title={t('report.state.shown', { count: shown })}
      text={t('report.state.shown_why')}
    />
  )
}

function Done() {
  return <CheckCircleIcon size={24} weight="fill" className="text-ok" />
}

interface StepProps {
  readonly icon: ReactNode
  readonly title: string
  readonly text: string
  readonly children?: ReactNode
}

function Step({ icon, title, text, children }: StepProps) {
  return (
    <li className="flex gap-4">
      <span className="shrink-0">{icon}</span>
      <div className="min-w-0 flex-1">
        <p className="title">{title}</p>
        {text ? <p className="note mt-1 text-text-2">{text}</p> : null}
        {children}
      </div>
    </li>
  )
}
