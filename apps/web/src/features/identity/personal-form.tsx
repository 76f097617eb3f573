import { useEffect, useState } from 'react'
import { Button, Field, TextArea } from '@duet/ui'
import type { User } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { t } from '../../shared/i18n.ts'
import { useAction, type RefusedError } from '../../shared/app-services.tsx'
import { showToast } from '../../shared/toasts.ts'
import { profileSaves } from './profile-saves.ts'

interface Errors {
  nick?: string
  about?: string
}

/** The public part of the own profile. Saved as a whole, and only after a change. */
export function PersonalForm({ user }: { user: User }) {
  const [nick, setNick] = useState(user.nick ?? '')
  const [about, setAbout] = useState(user.about)
  const [errors, setErrors] = useState<Errors>({})
  const save = useAction('UPDATE_PROFILE', (refused) => {
    const found = errorsOf(refused)
    if (found) setErrors(found)
    return found !== undefined
  })
  useEffect(
    () =>
      profileSaves.subscribe(() =>
        showToast({ id: 'profile-saved', kind: 'success', title: t('profile.saved') }),
      ),
    [],
  )
  const isChanged = nick.trim() !== user.nick || about !== user.about
  const length = [...about].length
  return (
    <form
      className="panel flex flex-col gap-4 p-5"
      onSubmit={(event) => {
        event.preventDefault()
        setErrors({})
        void save.run({ nick: nick.trim(), about })
      }}
    >
      <Field
        label={t('register.nick')}
        autoComplete="nickname"
        value={nick}
        dir={nick ? 'auto' : undefined}
        error={errors.nick}
        onChange={(event) => setNick(event.currentTarget.value)}
      />
      <TextArea
        label={t('profile.about')}
        help={t('profile.about_help')}
        value={about}
        dir={about ? 'auto' : undefined}
        error={errors.about}
        counter={t('profile.about_counter', { length, most: limits.about_characters })}
        over={length > limits.about_characters}
        onChange={(event) => setAbout(event.currentTarget.value)}
      />
      <Button
        type="submit"
        variant={isChanged ? 'primary' : 'secondary'}
        className="self-start"
        busy={save.busy}
        disabled={!isChanged}
      >
        {t('profile.save')}
      </Button>
    </form>
  )
}

function errorsOf({ refusal, additional }: RefusedError): Errors | undefined {
  if (refusal === 'name_long') return { nick: t('error.name_long') }
  if (refusal === 'name_short' || refusal === 'nick_short') return { nick: t('error.nick_short') }
  if (refusal === 'about_long') return { about: t('error.about_long') }
  const fields = Array.isArray(additional.fields) ? additional.fields : []
  return fields.some((field: { path?: unknown }) => field.path === 'nick')
    ? { nick: t('register.wrong_nick') }
    : undefined
}
