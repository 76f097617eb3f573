import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PersonDevices as Devices } from '@duet/protocol'
import { Button } from '@duet/ui/controls/button.tsx'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { EmptyState } from '@duet/ui/feedback/empty-state.tsx'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { countryName } from '../../shared/translation/country-name.ts'
import { PersonLink } from '../../shared/person-link.tsx'
import { ReasonForm } from '../../shared/reason-form.tsx'
import { useStaff } from '../../shared/session.tsx'
import { DataTable } from '../../shared/table/data-table.tsx'
import { TIME_WIDTH, type TableColumn } from '../../shared/table/table-column.ts'
import { t, textOr } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'

type Login = Devices['logins'][number]
type Signal = Devices['signals'][number]

const deviceName = ({ device }: Pick<Login, 'device'>) => device || t('office.devices.unknown')

/** The logins of a person, and by what the devices of the person are recognised. */
export function PersonDevices({ id }: { id: number }) {
  const { role } = useStaff()
  const [ending, setEnding] = useState<Login>()
  const { data, error } = useQuery({
    queryKey: ['person-devices', id],
    queryFn: ({ signal }) => api.get('v2/manager/users/{id}/devices', { id }, { signal }),
    // Each fetch is a recorded look.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error) return <Banner tone="danger">{errorSentence(error)}</Banner>
  if (!data) return <p role="status">{t('office.loading')}</p>
  const { logins, signals } = data
  return (
    <>
      <section className="flex flex-col gap-2" aria-label={t('office.devices.logins')}>
        <h2 className="font-medium">{t('office.devices.logins')}</h2>
        {logins.length === 0 && <EmptyState title={t('office.devices.no_logins')} />}
        {logins.length > 0 && (
          <DataTable<Login>
            name="logins"
            hasKeys
            label={t('office.devices.logins')}
            rowKey={(login) => login.id}
            rows={logins}
            columns={loginColumns(role === 'moderator' ? undefined : setEnding)}
          />
        )}
      </section>
      <section className="flex flex-col gap-2" aria-label={t('office.devices.signals')}>
        <h2 className="font-medium">{t('office.devices.signals')}</h2>
        <p className="text-text-2">{t('office.devices.signals_text')}</p>
        {signals.length === 0 && <EmptyState title={t('office.devices.no_signals')} />}
        {signals.length > 0 && (
          <DataTable<Signal>
            name="signals"
            label={t('office.devices.signals')}
            rowKey={(signal) => signal.id}
            rows={signals}
            columns={signalColumns()}
          />
        )}
      </section>
      {ending && <EndLoginDialog person={id} login={ending} onClose={() => setEnding(undefined)} />}
    </>
  )
}

/** Without `onEnd` the viewer may end no login: the button says who may. */
function loginColumns(onEnd: ((login: Login) => void) | undefined): TableColumn<Login>[] {
  return [
    {
      key: 'device',
      width: 240,
      header: t('office.devices.device'),
      cell: (login) => <bdi>{deviceName(login)}</bdi>,
      mobile: 'main',
    },
    {
      key: 'place',
      header: t('office.devices.place'),
      cell: ({ country }) => (country ? countryName(country) : '–'),
    },
    {
      key: 'first',
      width: TIME_WIDTH,
      header: t('office.devices.first'),
      cell: ({ create_time }) => shortTime(create_time),
    },
    {
      key: 'last',
      width: TIME_WIDTH,
      header: t('office.devices.last'),
      cell: ({ last_used }) => shortTime(last_used),
      mobile: 'second',
    },
    {
      key: 'state',
      header: t('office.sanctions.state'),
      cell: ({ ended_at }) =>
        ended_at
          ? t('office.devices.ended', { at: shortTime(ended_at) })
          : t('office.devices.open'),
    },
    {
      key: 'end',
      width: 180,
      header: t('office.devices.end'),
      isUnseen: true,
      cell: (login) =>
        login.ended_at === null && (
          <span className="flex flex-wrap items-center gap-2">
            <Button
              size={30}
              variant="outline"
              disabled={!onEnd}
              aria-label={`${t('office.devices.end')}: ${deviceName(login)}`}
              onClick={() => onEnd?.(login)}
            >
              {t('office.devices.end')}
            </Button>
            {!onEnd && <span className="text-text-2">{t('office.devices.manager_ends')}</span>}
          </span>
        ),
      mobile: 'end',
    },
  ]
}

function signalColumns(): TableColumn<Signal>[] {
  return [
    {
      key: 'signal',
      header: t('office.devices.signals'),
      cell: ({ signal }) => textOr(`office.signal.${signal}`, signal),
      mobile: 'main',
    },
    {
      key: 'first',
      width: TIME_WIDTH,
      header: t('office.devices.first'),
      cell: ({ first_seen }) => shortTime(first_seen),
    },
    {
      key: 'last',
      width: TIME_WIDTH,
      header: t('office.devices.last'),
      cell: ({ last_seen }) => shortTime(last_seen),
      mobile: 'second',
    },
    {
      key: 'shared',
      width: 320,
      header: t('office.devices.shared'),
      cell: ({ shared, is_common }) => (
        <span className="flex flex-wrap gap-x-3">
          {shared.map(({ user, is_sanctioned }) => (
            <span key={user.id}>
              <PersonLink person={user} />{' '}
              {is_sanctioned && (
                <span className="text-danger">{t('office.people.state.sanctioned')}</span>
              )}
            </span>
          ))}
          {is_common && <span className="text-text-2">{t('office.devices.common')}</span>}
        </span>
      ),
      mobile: 'end',
    },
  ]
}

interface EndLoginProps {
  person: number
  login: Login
  onClose: () => void
}

function EndLoginDialog({ person, login, onClose }: EndLoginProps) {
  const queries = useQueryClient()
  const end = useMutation({
    mutationFn: (reason: string) =>
      api.post('v2/manager/users/{id}/logins/{login_id}/end', {
        id: person,
        login_id: login.id,
        reason,
      }),
    onSuccess: async () => {
      onClose()
      await queries.invalidateQueries({ queryKey: ['person-devices', person] })
    },
  })
  return (
    <Dialog
      open
      title={t('office.devices.end_title')}
      description={t('office.devices.end_text', { device: deviceName(login) })}
      closeLabel={t('action.close')}
      onClose={onClose}
    >
      <ReasonForm
        autoFocus
        label={t('office.audit.reason')}
        press={t('office.devices.end_press')}
        isBusy={end.isPending}
        error={end.error}
        onSubmit={(reason) => end.mutate(reason)}
      />
    </Dialog>
  )
}
