import { useQuery } from '@tanstack/react-query'
import texts from '@duet/locales/en/office-people.json'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { addTexts, msg, t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'

addTexts(texts)

const REFRESH_MS = 30_000
const PATTERNS = {
  looks_without_case: msg('office.staff_alarms.looks_without_case'),
  linked_accounts: msg('office.staff_alarms.linked_accounts'),
}

/** Looks of members of staff that no case explains, for owners. */
export function StaffAlarms() {
  const { data, error, isPending } = useQuery({
    queryKey: ['staff-alarms'],
    queryFn: () => api.get('v2/manager/staff-alarms'),
    refetchInterval: REFRESH_MS,
  })
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-[calc(16rem/16)] font-semibold">{t('office.staff_alarms')}</h2>
      {error && <Banner tone="danger">{errorSentence(error)}</Banner>}
      {isPending && <p role="status">{t('office.loading')}</p>}
      {data && (
        <p className="text-text-2">
          {t(data.alarms.length === 0 ? 'office.staff_alarms.empty' : 'office.staff_alarms.text')}
        </p>
      )}
      <ul className="flex flex-col">
        {data?.alarms.map(({ id, person, pattern, looks, at }) => (
          <li key={id} className="border-b border-hair py-3">
            <h3 className="font-medium">
              <bdi>{person}</bdi> · {shortTime(at)}
            </h3>
            <p className="text-text-2">{t(PATTERNS[pattern], { count: looks })}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
