import { GlobeIcon } from '@phosphor-icons/react/dist/csr/Globe'
import type { ReactNode } from 'react'
import { Button, Segment, Switch } from '@duet/ui'
import { currentLocale, locales, t, translatedLocales } from '../../shared/i18n.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { useAppServices } from '../../shared/app-services.tsx'
import { StatisticsSwitch } from '../../shared/account/statistics-switch.tsx'
import { turnSounds, useSoundsOff } from '../../shared/sound.ts'
import { chooseTheme, useTheme } from './theme.ts'

/** Language, theme and sounds on this device. */
export function PreferencesSection() {
  const services = useAppServices()
  const theme = useTheme()
  const soundsOff = useSoundsOff()
  return (
    <div className="panel flex flex-col divide-y divide-hair px-5">
      {translatedLocales().length > 1 ? (
        <Row label={t('language.choose')}>
          <Button
            variant="outline"
            icon={<GlobeIcon size={18} />}
            onClick={() => dialogs.open('languages', {})}
          >
            {locales[currentLocale()].name}
          </Button>
        </Row>
      ) : null}
      <Row label={t('theme.label')}>
        <Segment
          label={t('theme.label')}
          value={theme}
          onChange={(next) => void chooseTheme(services, next)}
          options={[
            { value: 'system', label: t('theme.system') },
            { value: 'dark', label: t('theme.dark') },
            { value: 'light', label: t('theme.light') },
          ]}
        />
      </Row>
      <div className="py-2.5">
        <Switch
          label={t('sound.label')}
          help={t('sound.help')}
          checked={!soundsOff}
          onChange={turnSounds}
        />
      </div>
      <StatisticsSwitch className="py-2.5" />
    </div>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <span className="ui text-text">{label}</span>
      {children}
    </div>
  )
}
