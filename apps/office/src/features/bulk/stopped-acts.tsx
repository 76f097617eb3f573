import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Answer } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { PageHeader } from '../../shared/page-header.tsx'
import { useProof } from '../../shared/prove/prove.tsx'
import { ReasonForm } from '../../shared/reason-form.tsx'
import { useStaff } from '../../shared/session.tsx'
import { msg, t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { StaffAlarms } from './staff-alarms.tsx'
import './bulk-texts.ts'
import { WaitingActs } from './waiting-acts.tsx'

const REFRESH_MS = 30_000
const KINDS = {
  ban: msg('office.bulk.kind.ban'),
  penalty: msg('office.bulk.kind.penalty'),
  removal: msg('office.bulk.kind.removal'),
  money: msg('office.bulk.kind.money'),
  warning: msg('office.bulk.kind.warning'),
  lift: msg('office.bulk.kind.lift'),
  dismissal: msg('office.bulk.kind.dismissal'),
  approval: msg('office.bulk.kind.approval'),
  verification: msg('office.bulk.kind.verification'),
  pass: msg('office.bulk.kind.pass'),
}
type Stop = Answer<'GET v2/manager/bulk-stops'>['stops'][number]

/** People who did many acts at once: a second person allows more. */
export function StoppedActs() {
  const { role } = useStaff()
  const queries = useQueryClient()
  const proof = useProof()
  const { data, error, isPending } = useQuery({
    queryKey: ['bulk-stops'],
    queryFn: () => api.get('v2/manager/bulk-stops'),
    refetchInterval: REFRESH_MS,
  })
  const allow = useMutation({
    mutationFn: (given: { id: number; reason: string }) =>
      proof.with(() => api.post('v2/manager/bulk-stops/{id}/allow', given)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['bulk-stops'] }),
  })
  const problem = allow.error ?? error
  return (
    <>
      <PageHeader title={t('office.nav.bulk')} />
      <div className="flex max-w-[880px] flex-col gap-4 overflow-y-auto p-4">
        {problem && <Banner tone="danger">{errorSentence(problem)}</Banner>}
        {isPending && <p role="status">{t('office.loading')}</p>}
        {data?.stops.length === 0 && <p className="text-text-2">{t('office.bulk.empty')}</p>}
        <ul className="flex flex-col">
          {data?.stops.map((stop) => (
            <StopRow
              key={stop.id}
              stop={stop}
              isBusy={allow.isPending}
              onAllow={(reason) => allow.mutate({ id: stop.id, reason })}
            />
          ))}
        </ul>
        <WaitingActs />
        {role === 'owner' && <StaffAlarms />}
      </div>
    </>
  )
}

function StopRow({
  stop: { staff_id, person, kind, acts, at },
  isBusy,
  onAllow,
}: {
  stop: Stop
  isBusy: boolean
  onAllow: (reason: string) => void
}) {
  const own = useStaff()
  return (
    <li className="flex flex-col gap-3 border-b border-hair py-4">
      <div>
        <h2 className="font-medium">
          {t(KINDS[kind])} · {shortTime(at)}
        </h2>
        <p className="text-text-2">{t('office.bulk.text', { person, count: acts })}</p>
      </div>
      {staff_id === own.id ? (
        <p className="text-text-2">{t('office.bulk.own')}</p>
      ) : (
        <ReasonForm
          label={t('office.audit.reason')}
          press={t('office.bulk.allow')}
          isBusy={isBusy}
          onSubmit={onAllow}
        />
      )}
    </li>
  )
}
