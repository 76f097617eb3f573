import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { countryName } from '../../shared/translation/country-name.ts'
import { api, errorSentence } from '../../shared/api.ts'
import { PageHeader } from '../../shared/page-header.tsx'
import { t } from '../../shared/texts.ts'
import { useStaff } from '../../shared/session.tsx'
import { shortTime } from '../../shared/times.ts'
import { AlarmSwitch } from './alarm-switch.tsx'
import { ZoneChoice } from './zone-choice.tsx'

/** The own open sessions. */
export function Devices() {
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['sessions'],
    queryFn: () => api.get('v2/manager/sessions'),
  })
  const end = useMutation({
    mutationFn: (id: number) => api.post('v2/manager/sessions/end', { id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
  const { role } = useStaff()
  const hasAlarms = role === 'manager' || role === 'owner'
  const problem = end.error ?? error
  return (
    <>
      <PageHeader title={t('office.nav.devices')} />
      <div className="flex flex-col gap-3 overflow-y-auto p-4">
        <ZoneChoice />
        {problem && <Banner tone="danger">{errorSentence(problem)}</Banner>}
        {data && hasAlarms && <AlarmSwitch publicKey={data.push_key} />}
        <ul className="flex max-w-[640px] flex-col">
          {data?.sessions.map((session) => (
            <li key={session.id} className="flex items-center gap-3 border-b border-hair py-3">
              <div className="min-w-0 flex-1">
                <div className="font-medium">{session.device || t('office.device.unknown')}</div>
                <div className="text-text-2">
                  {t('office.device.used', { time: shortTime(session.last_used) })}
                  {session.country && ` · ${countryName(session.country)}`}
                </div>
              </div>
              {session.current ? (
                <span className="text-text-2">{t('office.device.this')}</span>
              ) : (
                <Button size={36} variant="outline" onClick={() => end.mutate(session.id)}>
                  {t('office.device.end')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
