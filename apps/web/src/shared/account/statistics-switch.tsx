import { Switch } from '@duet/ui'
import { t } from '../i18n.ts'
import { useStatisticsChoice } from './statistics-choice.ts'
import { chooseStatistics } from './statistics-consent.ts'

/** The choice about statistics, to change or withdraw it. Nothing where there are no statistics. */
export function StatisticsSwitch({ className }: { className?: string }) {
  const choice = useStatisticsChoice()
  if (!choice) return null
  return (
    <div className={className}>
      <Switch
        label={t('statistics.label')}
        help={t('statistics.help', { names: choice.names })}
        checked={choice.permitted === true}
        onChange={chooseStatistics}
      />
    </div>
  )
}
