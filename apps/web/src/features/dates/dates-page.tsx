import { useOwnUser } from '../../shared/app-services.tsx'
import { PageFrame } from '../../shared/frame.tsx'
import { t } from '../../shared/i18n.ts'
import { AskForDate } from './ask-for-date.tsx'
import { DateList } from './date-list.tsx'
import { HoursEditor } from './hours-editor.tsx'

/** `/virtualdate/`: the own dates on top; below them a guy asks for a date, and a girl sets her open hours. */
export function DatesPage() {
  const role = useOwnUser()?.role
  return (
    <PageFrame title={t('word.dates')}>
      <DateList />
      {role === 'girl' ? <HoursEditor /> : null}
      {role === 'men' ? <AskForDate /> : null}
    </PageFrame>
  )
}
