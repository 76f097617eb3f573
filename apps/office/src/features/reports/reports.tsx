import { api } from '../../shared/api.ts'
import { QueuePage } from '../../shared/queue/queue-page.tsx'
import type { QueueShape } from '../../shared/queue/queue-shape.ts'
import { useStaff } from '../../shared/session.tsx'
import { t } from '../../shared/texts.ts'
import { serverNow } from '../../shared/times.ts'
import { MonthNumbers } from './month-numbers.tsx'
import { kindName, reasonName, type ListedReport } from './report-names.ts'
import { ReportView } from './report-view.tsx'

const URGENT = ['child', 'emergency']

const shape: QueueShape<ListedReport> = {
  queue: 'reports',
  title: t('office.nav.reports'),
  list: ({ page }) => api.get('v2/manager/reports', { 'per-page': 50, page }),
  idOf: ({ id }) => String(id),
  claimOf: ({ claim }) => claim,
  sinceOf: ({ create_time }) => create_time,
  row: (report) => {
    const isLate = Date.parse(report.answer_until) < serverNow().getTime()
    return {
      title: kindName(report),
      text: isLate ? t('office.report.late') : reasonName(report),
      isSevere: isLate || URGENT.includes(report.reason),
    }
  },
  detail: ReportView,
}

/** The queue of the public forms. Letters of authorities are listed for those who may open them. */
export function Reports() {
  const { role } = useStaff()
  return (
    <>
      <QueuePage shape={shape} />
      {role !== 'moderator' && <MonthNumbers />}
    </>
  )
}
