import { useState } from 'react'
import { Button } from '@duet/ui/controls/button.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { t } from '../../shared/texts.ts'
import { chooseZone, isZone, timeZone } from '../../shared/times.ts'

const LIST = 'zones'

/** The zone of all times of the office in this browser. */
export function ZoneChoice() {
  const [zone, setZone] = useState(timeZone)
  const [error, setError] = useState<string>()
  return (
    <form
      className="flex max-w-[640px] flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isZone(zone)) chooseZone(zone)
        else setError(t('office.zone.wrong'))
      }}
    >
      <Field
        className="min-w-[220px] flex-1"
        label={t('office.zone.label')}
        list={LIST}
        maxLength={60}
        autoComplete="off"
        value={zone}
        error={error}
        onChange={(event) => {
          setError(undefined)
          setZone(event.target.value.trim())
        }}
      />
      <datalist id={LIST}>
        {Intl.supportedValuesOf('timeZone').map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Button type="submit" size={44} variant="secondary">
        {t('office.zone.use')}
      </Button>
      <p className="w-full text-text-2">{t('office.zone.help')}</p>
    </form>
  )
}
