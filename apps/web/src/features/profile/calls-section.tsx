import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { useMemo, useState, type ReactNode } from 'react'
import { Chip, Field, Select, Switch } from '@duet/ui'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { t } from '../../shared/i18n.ts'
import { useOwnUser } from '../../shared/app-services.tsx'
import { useOwnField } from '../../shared/account/own-field.ts'
import { countryOptions } from '../../shared/texts/countries.ts'
import { formatCountry } from '../../shared/texts/person.ts'

/** How calls begin, and a girl's boundaries in calls. Every change is stored at once. */
export function CallsSection() {
  const user = useOwnUser()
  const [isSafe = false, setSafe] = useOwnField('safe_video')
  const [accepts = false, setAccepts] = useOwnField('auto_accept')
  const [isAvailable = true, setAvailable] = useOwnField('available')
  if (!user) return null
  return (
    <div className="panel flex flex-col divide-y divide-hair px-5">
      <Row>
        <Switch
          label={t('profile.calls.available')}
          help={t('profile.calls.available_help')}
          checked={isAvailable}
          onChange={setAvailable}
        />
      </Row>
      <Row>
        <Switch
          label={t('profile.calls.safe_video')}
          help={t('profile.calls.safe_video_help')}
          checked={isSafe}
          onChange={setSafe}
        />
      </Row>
      <Row>
        <Switch
          label={t('profile.calls.auto_accept')}
          help={t('profile.calls.auto_accept_help')}
          checked={accepts}
          onChange={setAccepts}
        />
      </Row>
      {user.role === 'girl' ? <Boundaries /> : null}
    </div>
  )
}

function Boundaries() {
  const [isPremiumOnly = false, setPremiumOnly] = useOwnField('premium_calls_only')
  return (
    <>
      <Row>
        <Switch
          label={t('profile.calls.premium_only')}
          help={t('profile.calls.premium_only_help')}
          checked={isPremiumOnly}
          onChange={setPremiumOnly}
        />
      </Row>
      <Row>
        <HiddenCountries />
      </Row>
      <Row>
        <QuietHoursFields />
      </Row>
    </>
  )
}

function HiddenCountries() {
  const [chosen = [], change] = useOwnField('hide_countries')
  const countries = useMemo(() => countryOptions(), [])
  return (
    <div className="flex flex-col gap-3">
      <Select
        label={t('profile.calls.hide_countries')}
        help={t('profile.calls.hide_countries_help')}
        placeholder={t('profile.calls.hide_countries_add')}
        options={countries.filter(({ value }) => !chosen.includes(value))}
        value={null}
        disabled={chosen.length >= limits.hidden_countries}
        onChange={(code) => change([...chosen, code])}
      />
      {chosen.length > 0 ? (
        <ul className="flex flex-wrap gap-2">
          {chosen.map((code) => (
            <li key={code}>
              <Chip
                aria-label={t('profile.calls.hide_countries_remove', {
                  country: formatCountry(code),
                })}
                onClick={() => change(chosen.filter((one) => one !== code))}
              >
                {formatCountry(code)}
                <XIcon size={14} weight="bold" />
              </Chip>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

const EVENING = { from: '23:00', to: '08:00' }

function QuietHoursFields() {
  const [quiet = null, change] = useOwnField('quiet_hours')
  // The fields show the stored times. A half-entered change stays here until both times are valid.
  const [edits, setEdits] = useState<Partial<typeof EVENING>>({})
  const [whenOff, setWhenOff] = useState(EVENING)
  const times = { ...(quiet ?? whenOff), ...edits }
  const zone = quiet?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const write = (part: Partial<typeof EVENING>) => {
    const next = { ...times, ...part }
    const isWhole = next.from !== '' && next.to !== ''
    setEdits(isWhole ? {} : { ...edits, ...part })
    if (isWhole) change({ from: next.from, to: next.to, zone })
  }
  const turn = (on: boolean) => {
    const { from, to } = quiet ?? whenOff
    setWhenOff({ from, to })
    setEdits({})
    change(on ? { from, to, zone } : null)
  }
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label={t('profile.calls.quiet')}
        help={t('profile.calls.quiet_help')}
        checked={quiet !== null}
        onChange={turn}
      />
      {quiet ? (
        <div className="flex flex-wrap gap-4">
          <Field
            label={t('profile.calls.quiet_from')}
            type="time"
            className="flex-1"
            value={times.from}
            onChange={(event) => write({ from: event.currentTarget.value })}
          />
          <Field
            label={t('profile.calls.quiet_to')}
            type="time"
            className="flex-1"
            value={times.to}
            onChange={(event) => write({ to: event.currentTarget.value })}
          />
          <p className="note w-full text-text-3" dir="auto">
            {t('profile.calls.quiet_zone', { zone })}
          </p>
        </div>
      ) : null}
    </div>
  )
}

function Row({ children }: { children: ReactNode }) {
  return <div className="py-3.5">{children}</div>
}
