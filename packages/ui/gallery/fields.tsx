import { useState } from 'react'
import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { CheckboxRow } from '../src/fields/checkbox-row.tsx'
import { DateField } from '../src/fields/date-field.tsx'
import { Field } from '../src/fields/field.tsx'
import { PasswordField } from '../src/fields/password-field.tsx'
import { RadioRows } from '../src/fields/radio-rows.tsx'
import { Select } from '../src/fields/select.tsx'
import { Switch } from '../src/fields/switch.tsx'
import { TextArea } from '../src/fields/text-area.tsx'
import { Exhibit } from './exhibit.tsx'

export function Fields() {
  return (
    <>
      <TextFields />
      <Answers />
    </>
  )
}

function TextFields() {
  const [password, setPassword] = useState('12345')
  const [about, setAbout] = useState('Ceramics teacher, early riser.')
  const [birthday, setBirthday] = useState('1994-05-20')
  const [language, setLanguage] = useState<string | null>(null)
  return (
    <Exhibit title="Fields" className="grid items-start! gap-4 md:grid-cols-2">
      <Field
        label="Email"
        type="email"
        placeholder="you@example.com"
        help="Only you and we see it."
      />
      <Field label="Nickname" defaultValue="So" error="At least 3 characters" />
      <PasswordField
        label="Password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        showLabel="Show the password"
        hideLabel="Hide the password"
        check={{ text: '8 or more', passed: password.length >= 8 }}
      />
      <Field
        label="Search people"
        start={<MagnifyingGlassIcon size={20} className="text-text-3" />}
      />
      <DateField label="Birthday" value={birthday} onChange={setBirthday} />
      <Select
        label="Language"
        placeholder="Any"
        value={language}
        onChange={setLanguage}
        options={[
          { value: 'en', label: 'English' },
          { value: 'pt', label: 'Português' },
          { value: 'tr', label: 'Türkçe' },
        ]}
      />
      <Field label="Switched off" defaultValue="Cannot be changed" disabled />
      <TextArea
        label="About"
        value={about}
        onChange={(event) => setAbout(event.currentTarget.value)}
        counter={`${about.length} of 2000`}
        rows={3}
      />
    </Exhibit>
  )
}

function Answers() {
  const [adult, setAdult] = useState(true)
  const [terms, setTerms] = useState(false)
  const [translate, setTranslate] = useState(true)
  const [letters, setLetters] = useState(false)
  const [reason, setReason] = useState<'rude' | 'ads' | null>('rude')
  return (
    <Exhibit title="Answers" className="flex-col flex-nowrap! items-stretch!">
      <CheckboxRow checked={adult} onChange={setAdult}>
        I am 18 or older, and no one under 18 uses this device with me
      </CheckboxRow>
      <CheckboxRow
        checked={terms}
        onChange={setTerms}
        error={terms ? undefined : 'Needed to continue'}
      >
        I accept the{' '}
        <a href="#terms" className="underline">
          terms
        </a>
      </CheckboxRow>
      <Switch
        label="Translate"
        checked={translate}
        onChange={setTranslate}
        help="Both ways, as you write."
      />
      <Switch label="Letters about new guests" checked={letters} onChange={setLetters} />
      <Switch label="Not now" checked={false} onChange={setLetters} disabled />
      <RadioRows
        label="What happened"
        value={reason}
        onChange={setReason}
        options={[
          { value: 'rude', label: 'Rude or insulting', help: 'Words or gestures' },
          {
            value: 'ads',
            label: 'Advertising',
            end: <span className="note text-text-3">free</span>,
          },
        ]}
      />
    </Exhibit>
  )
}
