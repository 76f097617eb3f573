import type { DeskComplaint } from '@duet/protocol'
import { api } from '../../shared/api.ts'
import { t } from '../../shared/texts.ts'
import { QueuePage } from '../../shared/queue/queue-page.tsx'
import type { QueueShape } from '../../shared/queue/queue-shape.ts'
import { reportersText } from '../../shared/evidence/reporters-text.ts'
import { reasonName } from './complaint-names.ts'
import { ComplaintView } from './complaint-view.tsx'
import { personName } from '../../shared/person-name.ts'

const shape: QueueShape<DeskComplaint> = {
  queue: 'complaints',
  title: t('office.nav.complaints'),
  list: (page) => api.get('v2/manager/complaints', { 'per-page': 50, page }),
  idOf: ({ id }) => String(id),
  claimOf: ({ claim }) => claim,
  sinceOf: ({ create_time }) => create_time,
  row: (complaint) => ({
    title: reasonName(complaint),
    text: [
      t('office.complaint.about', {
        complainer: personName(complaint.complainer),
        accused: personName(complaint.accused),
      }),
      ...(complaint.reporters > 1 ? [reportersText(complaint)] : []),
    ].join(' · '),
    isSevere: complaint.is_serious,
  }),
  detail: ComplaintView,
}

export function Complaints() {
  return <QueuePage shape={shape} />
}
