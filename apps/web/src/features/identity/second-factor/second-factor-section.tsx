import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, Skeleton, useSkeleton } from '@duet/ui'
import type { Passkey } from '@duet/protocol'
import { t } from '../../../shared/i18n.ts'
import { useAppServices } from '../../../shared/app-services.tsx'
import { useUnsaved } from '../../../shared/navigation/unsaved.ts'
import { SectionFailed } from '../../../shared/account/section-failed.tsx'
import { visitTime } from '../devices/visit-time.ts'
import { FactorPassword, type FactorTask } from './factor-password.tsx'
import { hasPasskeys } from './passkeys.ts'
import { AppSetup, SpareCodes } from './app-setup.tsx'

const FACTORS_KEY = ['second factors'] as const

/** The second factors of the user: codes of an app, and passkeys. */
export function SecondFactorSection() {
  const { connection } = useAppServices()
  const { data, isError, isPending, refetch } = useQuery({
    queryKey: FACTORS_KEY,
    queryFn: async () => {
      const { http } = connection
      const [totp, { passkeys }] = await Promise.all([
        http.get('auth/totp/list'),
        http.get('auth/passkey/list'),
      ])
      return { ...totp, passkeys }
    },
    // Another device changes them without an event here.
    staleTime: 0,
  })
  const isWaiting = useSkeleton(isPending)
  // A list that cannot be fetched again must not take the spare codes from the screen.
  if (isError && !data)
    return (
      <SectionFailed
        text={t('factor.failed')}
        retry={t('action.retry')}
        onRetry={() => void refetch()}
      />
    )
  if (isWaiting || !data)
    return (
      <div className="panel flex flex-col gap-4 p-5">
        <Skeleton className="h-11 w-full" />
      </div>
    )
  return <Factors {...data} />
}

interface FactorsProps {
  readonly on: boolean
  readonly spare_codes_left: number
  readonly passkeys: readonly Passkey[]
}

function Factors({ on, spare_codes_left, passkeys }: FactorsProps) {
  const queries = useQueryClient()
  const [task, setTask] = useState<FactorTask>()
  const [offer, setOffer] = useState<{ secret: string; url: string }>()
  const [spareCodes, setSpareCodes] = useState<readonly string[]>()
  // Nothing shows the codes again: leaving asks first.
  useUnsaved(spareCodes !== undefined)
  const refresh = () => void queries.invalidateQueries({ queryKey: FACTORS_KEY })
  if (task)
    return (
      <FactorPassword
        task={task}
        onDone={(made) => {
          setTask(undefined)
          setOffer(made)
          refresh()
        }}
        onCancel={() => setTask(undefined)}
      />
    )
  if (offer)
    return (
      <AppSetup
        {...offer}
        onDone={(codes) => {
          setOffer(undefined)
          setSpareCodes(codes)
          refresh()
        }}
        onCancel={() => setOffer(undefined)}
      />
    )
  if (spareCodes) return <SpareCodes codes={spareCodes} onDone={() => setSpareCodes(undefined)} />
  return (
    <div className="panel flex flex-col gap-4 p-5">
      <p className="note text-text-3">{t('factor.help')}</p>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="ui text-text">
          {on ? t('factor.app_on', { count: spare_codes_left }) : t('factor.app_off')}
        </p>
        <Button
          variant={on ? 'outline' : 'secondary'}
          onClick={() => setTask({ type: on ? 'app_off' : 'app_on' })}
        >
          {t(on ? 'factor.turn_off' : 'factor.set_up')}
        </Button>
      </div>
      <Passkeys passkeys={passkeys} onTask={setTask} />
    </div>
  )
}

function Passkeys({
  passkeys,
  onTask,
}: {
  passkeys: readonly Passkey[]
  onTask: (task: FactorTask) => void
}) {
  return (
    <>
      <ul className="flex flex-col divide-y divide-hair empty:hidden">
        {passkeys.map(({ id, name, last_used }) => (
          <li key={id} className="flex min-h-16 items-center gap-3 py-2.5">
            <span className="min-w-0 flex-1">
              <bdi className="ui block text-text">{name}</bdi>
              <span className="meta block text-text-3">
                {last_used
                  ? t('factor.last_used', { time: visitTime(last_used) })
                  : t('factor.never_used')}
              </span>
            </span>
            <Button
              variant="outline"
              size={36}
              aria-label={t('action.remove_named', { name })}
              onClick={() => onTask({ type: 'remove', id })}
            >
              {t('action.remove')}
            </Button>
          </li>
        ))}
      </ul>
      {hasPasskeys() ? (
        <Button
          variant="secondary"
          className="self-start"
          onClick={() => onTask({ type: 'add_passkey' })}
        >
          {t('factor.add_passkey')}
        </Button>
      ) : null}
    </>
  )
}
