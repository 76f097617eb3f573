import { GlobeIcon } from '@phosphor-icons/react/dist/csr/Globe'
import { SignOutIcon } from '@phosphor-icons/react/dist/csr/SignOut'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Avatar, Button, Segment, Switch } from '@duet/ui'
import { PersonalForm } from './personal-form.tsx'
import { PageFrame } from '../../shared/frame.tsx'
import { currentLocale, locales, t, translatedLocales } from '../../shared/i18n.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { useOwnUser, useAppServices } from '../../shared/app-services.tsx'
import { turnSounds, useSoundsOff } from '../../shared/sound.ts'
import { countryOf } from '../../shared/video/person-text.ts'
import { logOut } from './log-out.ts'
import { chooseTheme, useTheme } from './theme.ts'

/** `/profile/`: the own profile, language, theme and sounds. */
export function OwnPage() {
  const services = useAppServices()
  const user = useOwnUser()
  const navigate = useNavigate()
  const theme = useTheme()
  const soundsOff = useSoundsOff()
  if (!user) return null
  return (
    <PageFrame title={t('profile.title')}>
      <div className="flex w-full max-w-[640px] flex-col gap-4">
        <section className="panel flex items-center gap-4 p-5">
          <Avatar name="" src={user.avatar} size={64} />
          <span className="min-w-0">
            <bdi className="display-s block truncate">{user.nick}</bdi>
            <span className="note block truncate text-text-3" dir="ltr">
              {user.email}
            </span>
          </span>
        </section>
        <PersonalForm user={user} />
        <section className="panel flex flex-col divide-y divide-hair px-5">
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
          {user.country ? (
            <CountrySwitch country={user.country} isShown={user.show_country} />
          ) : null}
        </section>
        <Button
          variant="secondary"
          size={54}
          icon={<SignOutIcon size={20} className="mirror" />}
          onClick={() => void logOut(services, navigate)}
        >
          {t('nav.log_out')}
        </Button>
      </div>
    </PageFrame>
  )
}

/** Without a known country there is nothing to show. */
function CountrySwitch({ country, isShown }: { country: string; isShown: boolean }) {
  const { connection, report } = useAppServices()
  const show = (show_country: boolean) => {
    connection.patchUser({ show_country })
    connection.act('UPDATE_PROFILE', { show_country }).catch((error: unknown) => {
      connection.patchUser({ show_country: !show_country })
      report(error)
    })
  }
  return (
    <div className="py-2.5">
      <Switch
        label={t('profile.show_country')}
        help={t('profile.show_country_help', { country: countryOf(country) })}
        checked={isShown}
        onChange={show}
      />
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
