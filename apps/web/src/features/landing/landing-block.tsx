import { CameraIcon } from '@phosphor-icons/react/dist/csr/Camera'
import { ChatCircleDotsIcon } from '@phosphor-icons/react/dist/csr/ChatCircleDots'
import { SignOutIcon } from '@phosphor-icons/react/dist/csr/SignOut'
import { HandWavingIcon } from '@phosphor-icons/react/dist/csr/HandWaving'
import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { ScalesIcon } from '@phosphor-icons/react/dist/csr/Scales'
import { UserFocusIcon } from '@phosphor-icons/react/dist/csr/UserFocus'
import type { ReactNode } from 'react'
import type { PublicSettings } from '@duet/protocol'
import { t, translatedLocales } from '../../shared/i18n.ts'
import { Rates } from './rates.tsx'
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'

/** How it works, safety, rates, questions: under the landing page, and under the idle screen of members. */
export function LandingBlock({ settings }: { settings?: PublicSettings | undefined }) {
  return (
    <div className="mx-auto flex w-full max-w-[1240px] flex-col gap-24 px-5 py-20 md:gap-32 md:px-14 md:py-28">
      <Chapter id="how" title={t('landing.how.title')} text={t('landing.how.text')}>
        <ol className="grid gap-4 md:grid-cols-3 md:gap-[18px]">
          <Step
            number={1}
            icon={<CameraIcon size={34} weight="duotone" />}
            title={t('landing.how.allow')}
            text={t('landing.how.allow_text')}
          />
          <Step
            number={2}
            icon={<HandWavingIcon size={34} weight="duotone" />}
            title={t('landing.how.meet')}
            text={t('landing.how.meet_text')}
          />
          <Step
            number={3}
            icon={<ChatCircleDotsIcon size={34} weight="duotone" />}
            title={t('landing.how.stay')}
            text={t('landing.how.stay_text')}
          />
        </ol>
      </Chapter>
      <Chapter id="safety" title={t('landing.safety.title')} text={t('landing.safety.text')}>
        <ul className="grid gap-x-12 gap-y-9 md:grid-cols-2">
          <Assurance
            icon={<UserFocusIcon size={26} weight="duotone" />}
            title={t('landing.safety.real')}
            text={t('landing.safety.real_text')}
          />
          <Assurance
            icon={<ScalesIcon size={26} weight="duotone" />}
            title={t('landing.safety.fair')}
            text={t('landing.safety.fair_text')}
          />
          <Assurance
            icon={<SignOutIcon size={26} weight="duotone" />}
            title={t('landing.safety.leave')}
            text={t('landing.safety.leave_text')}
          />
          <Assurance
            icon={<LockSimpleIcon size={26} weight="duotone" />}
            title={t('landing.safety.private')}
            text={t('landing.safety.private_text')}
          />
        </ul>
      </Chapter>
      <Chapter id="rates" title={t('landing.rates.title')} text={t('landing.rates.text')}>
        <Rates settings={settings} />
      </Chapter>
      <Chapter id="questions" title={t('landing.questions.title')}>
        <Questions />
      </Chapter>
    </div>
  )
}

function Chapter({
  id,
  title,
  text,
  children,
}: {
  id: string
  title: string
  text?: string
  children: ReactNode
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-8">
      <h2 id={`${id}-title`} className="display-l max-w-[18ch] md:max-w-none">
        {title}
      </h2>
      {text ? (
        <p className="mt-3 max-w-[56ch] text-[calc(17rem/16)] leading-[1.5] text-text-2">{text}</p>
      ) : null}
      <div className="mt-9 md:mt-12">{children}</div>
    </section>
  )
}

function Step({
  number,
  icon,
  title,
  text,
}: {
  number: number
  icon: ReactNode
  title: string
  text: string
}) {
  return (
    <li className="panel flex flex-col p-6 md:min-h-[248px] md:p-7">
      <span className="flex items-center justify-between">
        <span className="text-ember-hi">{icon}</span>
        <span aria-hidden className="display-m text-text-3 figures">
          {number}
        </span>
      </span>
      <h3 className="title mt-6 md:mt-auto">{title}</h3>
      <p className="body mt-1.5 text-text-2">{text}</p>
    </li>
  )
}

function Assurance({ icon, title, text }: { icon: ReactNode; title: string; text: string }) {
  return (
    <li className="flex gap-5">
      <span className="flex size-12 shrink-0 items-center justify-center rounded-field bg-surface-2 text-ember-hi shadow-card">
        {icon}
      </span>
      <span>
        <h3 className="title">{title}</h3>
        <p className="body mt-1 text-text-2">{text}</p>
      </span>
    </li>
  )
}

const QUESTIONS = ['camera', 'cost', 'account', 'language', 'women', 'leave'] as const

/** Frequent questions. They open without a script. */
function Questions() {
  return (
    <div className="max-w-[820px] border-b border-hair">
      {QUESTIONS.map((question) => (
        <details key={question} name="questions" className="question group border-t border-hair">
          <summary className="title flex min-h-16 items-center justify-between gap-6 py-4">
            {t(`landing.questions.${question}`)}
            <PlusIcon
              size={18}
              weight="bold"
              className="shrink-0 text-text-3 transition-transform duration-base group-open:rotate-45"
            />
          </summary>
          <p className="body max-w-[64ch] pe-10 pb-6 text-text-2">
            {t(`landing.questions.${question}_text`, { languages: translatedLocales().length })}
          </p>
        </details>
      ))}
    </div>
  )
}
