import { useQuery } from '@tanstack/react-query'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { api } from '../shared/api.ts'
import { useStaff } from '../shared/session.tsx'
import { t } from '../shared/texts.ts'

/** Suggests a break after long deciding, and says why severe cases are missing from the queue. */
export function BreakHint() {
  const { role } = useStaff()
  const { data } = useQuery({
    queryKey: ['queues'],
    queryFn: () => api.get('v2/manager/queues'),
  })
  if (!data) return null
  const { is_break_due, is_limited, deciding_minutes } = data.load
  if (is_break_due) return <Banner>{t('office.break.due', { minutes: deciding_minutes })}</Banner>
  if (is_limited && role === 'moderator') return <Banner>{t('office.break.limited')}</Banner>
  return null
}
