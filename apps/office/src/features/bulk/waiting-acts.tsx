import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Answer } from '@duet/protocol'
import { Button } from '@duet/ui/controls/button.tsx'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { useProof } from '../../shared/prove/prove.tsx'
import { useStaff } from '../../shared/session.tsx'
import { msg, t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'

const REFRESH_MS = 30_000
const ACTS = {
  grant: msg('office.approvals.grant'),
  gift_cards: msg('office.approvals.gift_cards'),
  documents: msg('office.approvals.documents'),
  sealed_export: msg('office.approvals.sealed_export'),
}
const FACTS = {
  amount: msg('office.approvals.fact.amount'),
  asset: msg('office.approvals.fact.asset'),
  key: msg('office.approvals.fact.key'),
  count: msg('office.approvals.fact.count'),
  minutes: msg('office.approvals.fact.minutes'),
  price: msg('office.approvals.fact.price'),
  until: msg('office.approvals.fact.until'),
  check_id: msg('office.approvals.fact.check_id'),
  complaint_id: msg('office.sealed.case'),
}
const KEY = ['approvals']
type Waiting = Answer<'GET v2/manager/approvals'>['approvals'][number]

/** Acts that one person may not do alone. A second person allows each of them once. */
export function WaitingActs() {
  const { data, error, isPending } = useQuery({
    queryKey: KEY,
    queryFn: () => api.get('v2/manager/approvals'),
    refetchInterval: REFRESH_MS,
  })
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-[calc(16rem/16)] font-semibold">{t('office.approvals')}</h2>
      {error && <Banner tone="danger">{errorSentence(error)}</Banner>}
      {isPending && <p role="status">{t('office.loading')}</p>}
      {data && (
        <p className="text-text-2">
          {data.approvals.length === 0 ? t('office.approvals.empty') : t('office.approvals.text')}
        </p>
      )}
      <ul className="flex flex-col">
        {data?.approvals.map((act) => (
          <WaitingRow key={act.id} act={act} />
        ))}
      </ul>
    </section>
  )
}

function WaitingRow({ act: { id, act, user_id, facts, reason, asked_by, at } }: { act: Waiting }) {
  const { email } = useStaff()
  const proof = useProof()
  const queries = useQueryClient()
  const allow = useMutation({
    mutationFn: () => proof.with(() => api.post('v2/manager/approvals/{id}/allow', { id })),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: KEY })
      await queries.invalidateQueries({ queryKey: ['queues'] })
      await queries.invalidateQueries({ queryKey: ['sealed-case'] })
    },
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-hair py-3">
      <div className="min-w-0">
        <h3 className="font-medium">{t(ACTS[act], { user: String(user_id ?? '') })}</h3>
        <dl className="flex flex-wrap gap-x-4">
          {facts.map(({ name, value }) => (
            <div key={name} className="flex gap-1.5">
              <dt className="text-text-2">{t(FACTS[name])}</dt>
              <dd className="break-all">
                {name === 'complaint_id' ? (
                  <Link className="underline" to={`/sealed/${value}`}>
                    {value}
                  </Link>
                ) : (
                  <bdi>{value}</bdi>
                )}
              </dd>
            </div>
          ))}
        </dl>
        {reason !== '' && (
          <p className="break-words">
            <bdi>{reason}</bdi>
          </p>
        )}
        <p className="text-text-2">
          {t('office.approvals.asked', { name: asked_by, time: shortTime(at) })}
        </p>
        {allow.error && <Banner tone="danger">{errorSentence(allow.error)}</Banner>}
      </div>
      {asked_by === email ? (
        <p className="text-text-2">{t('office.bulk.own')}</p>
      ) : (
        <Button size={36} variant="primary" busy={allow.isPending} onClick={() => allow.mutate()}>
          {t('office.approvals.allow')}
        </Button>
      )}
    </li>
  )
}
