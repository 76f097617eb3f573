import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { CallbackLine } from '@duet/protocol'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { Select } from '@duet/ui/fields/select.tsx'
import { api } from '../../shared/api.ts'
import { CaseState, useCaseLook } from '../../shared/queue/case-look.tsx'
import { PageHeader } from '../../shared/page-header.tsx'
import { PersonLink } from '../../shared/person-link.tsx'
import { ReasonForm } from '../../shared/reason-form.tsx'
import { PagedTable } from '../../shared/table/paged-table.tsx'
import { TIME_WIDTH, type TableColumn } from '../../shared/table/table-column.ts'
import { t, textOr } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { whyRefused } from './payment-texts.ts'
import { RawCallback } from './raw-callback.tsx'

const PAGE = 50
const VERDICTS = ['waiting', 'refused', 'unverified'] as const

/** Callbacks of providers that wait, were refused or not believed, the newest first. The choice and the open one are in the address. */
export function Callbacks() {
  const [params, setParams] = useSearchParams()
  const verdict = VERDICTS.find((one) => one === params.get('verdict')) ?? 'waiting'
  const opened = parseId(params.get('case') ?? '')
  const open = (id: number) => setParams({ verdict, case: String(id) }, { replace: true })
  const close = () => setParams({ verdict }, { replace: true })
  return (
    <>
      <PageHeader title={t('office.nav.callbacks')} />
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
        <Select
          className="w-full md:w-[240px]"
          label={t('office.callback.verdict')}
          options={VERDICTS.map((value) => ({
            value,
            label: textOr(`office.callback.verdict.${value}`, value),
          }))}
          value={verdict}
          onChange={(value) => setParams({ verdict: value }, { replace: true })}
        />
        <PagedTable<CallbackLine>
          name="callbacks"
          label={t('office.nav.callbacks')}
          none={t('office.callback.empty')}
          queryKey={['callbacks', verdict]}
          fetchPage={(before) =>
            api.get('v2/manager/callbacks', { verdict, 'per-page': PAGE, before })
          }
          idBefore={({ id }) => id}
          rowKey={({ id }) => id}
          columns={columns(open)}
        />
      </div>
      {opened !== undefined && <CallbackDialog key={opened} id={opened} onClose={close} />}
    </>
  )
}

function columns(onOpen: (id: number) => void): TableColumn<CallbackLine>[] {
  return [
    {
      key: 'why',
      width: 260,
      header: t('office.decide.reason'),
      cell: (line) => (
        <button
          type="button"
          data-open
          className="text-start underline"
          aria-label={t('office.callback.open', { id: line.id })}
          onClick={() => onOpen(line.id)}
        >
          {whyRefused(line.why)}
        </button>
      ),
      mobile: 'main',
    },
    {
      key: 'at',
      width: TIME_WIDTH,
      header: t('office.callback.received'),
      cell: ({ at }) => shortTime(at),
      mobile: 'second',
    },
    { key: 'method', header: t('office.payment.method'), cell: ({ method }) => method },
    {
      key: 'buyer',
      width: 240,
      header: t('office.payment.buyer'),
      cell: ({ user, order_id }) =>
        user && (
          <>
            <PersonLink person={user} /> · {t('office.payment.order', { id: order_id ?? '–' })}
          </>
        ),
    },
    { key: 'state', header: t('office.callback.state'), cell: stateText, mobile: 'end' },
  ]
}

function stateText({ verdict, settled }: CallbackLine): string {
  if (settled) return t('office.callback.settled_short')
  return verdict === 'refused' ? t('office.callback.waits') : '–'
}

/** The callback as it arrived, and what is done about it. */
function CallbackDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const queries = useQueryClient()
  const look = useCaseLook(['callback', id], () => api.get('v2/manager/callbacks/{id}', { id }))
  const settle = useMutation({
    mutationFn: (reason: string) => api.post('v2/manager/callbacks/{id}/decide', { id, reason }),
    onSuccess: async () => {
      onClose()
      await queries.invalidateQueries({ queryKey: ['callbacks'] })
      await queries.invalidateQueries({ queryKey: ['queues'] })
    },
  })
  const { data } = look
  return (
    <Dialog
      open
      size={640}
      onClose={onClose}
      title={t('office.callback.one', { id })}
      closeLabel={t('action.close')}
    >
      <div className="flex flex-col gap-4">
        {data ? <RawCallback callback={data} /> : <CaseState look={look} />}
        {data && data.verdict === 'refused' && !data.settled && (
          <ReasonForm
            label={t('office.decide.reason')}
            help={t('office.callback.settle_help')}
            press={t('office.callback.settle')}
            isBusy={settle.isPending}
            error={settle.error}
            onSubmit={(reason) => settle.mutate(reason)}
          />
        )}
      </div>
    </Dialog>
  )
}
