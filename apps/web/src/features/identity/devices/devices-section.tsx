import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { DesktopIcon } from '@phosphor-icons/react/dist/csr/Desktop'
import { DeviceMobileIcon } from '@phosphor-icons/react/dist/csr/DeviceMobile'
import { Button, Skeleton, Tag, useSkeleton } from '@duet/ui'
import type { Answer } from '@duet/protocol'
import { t } from '../../../shared/i18n.ts'
import { useAppServices } from '../../../shared/app-services.tsx'
import { SectionFailed } from '../../../shared/account/section-failed.tsx'
import { usePress } from '../../../shared/controls/use-press.ts'
import { showToast } from '../../../shared/toasts.ts'
import { formatCountry } from '../../../shared/texts/person.ts'
import { logOut } from '../log-out.ts'
import { visitTime } from './visit-time.ts'

type Device = Answer<'GET account/sessions'>['sessions'][number]
const DEVICES_KEY = ['devices'] as const

/** The devices on which the user is logged in. The user can log out each device here. */
export function DevicesSection() {
  const { connection } = useAppServices()
  const { data, isError, isPending, refetch } = useQuery({
    queryKey: DEVICES_KEY,
    queryFn: () => connection.http.get('account/sessions'),
    // Another device logs in without an event here.
    staleTime: 0,
  })
  const isWaiting = useSkeleton(isPending)
  if (isError && !data)
    return (
      <SectionFailed
        text={t('devices.failed')}
        retry={t('action.retry')}
        onRetry={() => void refetch()}
      />
    )
  if (isWaiting || !data)
    return (
      <div className="panel flex flex-col gap-4 p-5">
        <Skeleton className="h-11 w-full" />
        <Skeleton className="h-11 w-full" />
      </div>
    )
  return <DeviceList devices={data.sessions} />
}

function DeviceList({ devices }: { devices: readonly Device[] }) {
  const services = useAppServices()
  const navigate = useNavigate()
  const others = useEndDevice()
  const hasOthers = devices.some(({ current }) => !current)
  return (
    <div className="panel flex flex-col p-5">
      <p className="note text-text-3">{t(hasOthers ? 'devices.help' : 'devices.only_this')}</p>
      <ul className="mt-2 flex flex-col divide-y divide-hair">
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} />
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-3">
        {hasOthers ? (
          <Button
            variant="secondary"
            busy={others.busy}
            onClick={() => void others.press({ others: true })}
          >
            {t('devices.end_others')}
          </Button>
        ) : null}
        <Button variant="outline" onClick={() => void logOut(services, navigate, true)}>
          {t('devices.end_all')}
        </Button>
      </div>
    </div>
  )
}

/** Ends a login, or every other login, and fetches the list again. */
function useEndDevice() {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  return usePress(async (which: { id: number } | { others: true }) => {
    try {
      await connection.http.post('account/sessions/end', which)
      const isOne = 'id' in which
      const title = t(isOne ? 'devices.ended' : 'devices.others_ended')
      showToast({ id: 'device-ended', kind: 'success', title })
    } finally {
      await queries.invalidateQueries({ queryKey: DEVICES_KEY })
    }
  })
}

function DeviceRow({ device }: { device: Device }) {
  const { busy, press } = useEndDevice()
  const name = device.device || t('devices.unknown')
  const time = visitTime(device.last_visit)
  const Icon = /Android|iOS|iPhone|iPad/.test(device.device) ? DeviceMobileIcon : DesktopIcon
  return (
    <li className="flex min-h-16 items-center gap-3 py-2.5">
      <Icon size={22} className="shrink-0 text-text-3" />
      <span className="min-w-0 flex-1">
        <span className="ui block text-text">
          <bdi>{name}</bdi>
        </span>
        <span className="meta block text-text-3">
          {device.country
            ? t('devices.place_last_visit', { country: formatCountry(device.country), time })
            : t('devices.last_visit', { time })}
        </span>
      </span>
      {device.current ? (
        <Tag tone="ok">{t('devices.current')}</Tag>
      ) : (
        <Button
          variant="outline"
          size={36}
          busy={busy}
          aria-label={t('devices.end_of', { device: name })}
          onClick={() => void press({ id: device.id })}
        >
          {t('action.log_out')}
        </Button>
      )}
    </li>
  )
}
