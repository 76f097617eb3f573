import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { PetalPair, Tag, Chip, ChipRow } from '@duet/ui'
import { useAmountFormat } from '../../shared/amounts.ts'
import { PageFrame } from '../../shared/frame.tsx'
import { t, locales } from '../../shared/i18n.ts'
import { useWomenOnline } from '../../shared/people/online-count.ts'
import { useSettings } from '../../shared/queries.ts'
import { Text } from '../../shared/texts/rich-text.tsx'
import { useKeys } from '../../shared/controls/use-keys.ts'
import { OwnPicture } from '../../shared/video/screen-parts.tsx'
import { useOwnUser } from '../../shared/account/own-user.tsx'
import { AMOUNT_ICONS } from '../../shared/texts/amount-icons.tsx'
import { AutoAcceptSwitch } from './auto-accept-switch.tsx'
import { IdleReason, type StartPress, StartRow } from './idle-parts.tsx'
import type { IdleView } from './matchmaking-state.ts'
import type { Locale } from '@duet/protocol'
import { useSearchCommands, useWantedLanguages } from './search-context.tsx'

/** His start: himself as others would see him, the press that begins, and how he wants to be connected. */
export function GuyIdle({ screen, start }: { screen: IdleView; start: StartPress }) {
  const { is_member } = useOwnUser()
  const womenOnline = useWomenOnline()
  useKeys({ Enter: start.onStart })
  return (
    <div className="scene-glow relative isolate min-h-dvh [--ember-x:28%] [--moon-x:84%] after:absolute after:inset-x-0 after:bottom-0 after:-z-1 after:h-48 after:bg-linear-to-t after:from-bg after:to-transparent">
      <PageFrame title={t('video.idle.title')} titleHidden>
        <div className="mx-auto grid w-full max-w-[1180px] items-center gap-x-16 gap-y-7 md:min-h-[min(660px,calc(100dvh-140px))] md:grid-cols-[minmax(0,1.05fr)_minmax(0,1fr)]">
          <PetalPair
            layout={{ hers: [0, 178, 250, 300], yours: [186, 0, 400, 478] }}
            hers={{ light: 'ember', icon: <UserIcon className="size-[30%] opacity-55" /> }}
            yours={{ children: <OwnPicture /> }}
            className="mx-auto max-w-[min(330px,40dvh)] md:max-w-[min(560px,62dvh)]"
          />
          <div className="flex min-w-0 flex-col gap-5">
            <IdleReason reason={screen.reason} />
            <div>
              <p aria-hidden className="display-l">
                {t('video.idle.title')}
              </p>
              <p className="body mt-2 text-[1.0625rem]! text-text-2">
                {t('video.idle.lead', { count: womenOnline ?? 0 })}
              </p>
            </div>
            <StartRow size={62} label={t('action.start_chat')} {...start} />
            <PriceNote />
            <div className="panel flex flex-col gap-4 p-5">
              <LanguageFilter />
              {is_member ? (
                <AutoAcceptSwitch
                  label={t('video.idle.at_once')}
                  help={t('video.idle.at_once_text')}
                />
              ) : null}
            </div>
          </div>
        </div>
      </PageFrame>
    </div>
  )
}

function PriceNote() {
  const { quota_seconds } = useOwnUser()
  const settings = useSettings()
  const formatAmount = useAmountFormat()
  return (
    <div className="note flex min-h-7 flex-wrap items-center gap-x-3 gap-y-2 text-text-2">
      {quota_seconds > 0 ? (
        <Tag tone="ok" size={28}>
          {t('video.idle.quota', { seconds: quota_seconds })}
        </Tag>
      ) : null}
      {settings ? (
        <span>
          <Text
            id="video.idle.price"
            values={{
              seconds: settings.paid_after,
              price: formatAmount('diamond', settings.prices.public),
            }}
            parts={AMOUNT_ICONS}
          />
        </span>
      ) : null}
      <span className="basis-full text-text-3">{t('video.idle.camera_note')}</span>
    </div>
  )
}

/** The languages that the next partner should speak. Without a choice any language is right. */
function LanguageFilter() {
  const commands = useSearchCommands()
  const chosen = useWantedLanguages()
  const choose = (next: readonly Locale[]) => commands.chooseLanguages(next)
  const toggle = (locale: Locale) =>
    choose(chosen.includes(locale) ? chosen.filter((each) => each !== locale) : [...chosen, locale])
  return (
    <div className="min-w-0">
      <p className="note mb-1 text-text-2">{t('video.idle.languages')}</p>
      <ChipRow label={t('video.idle.languages')}>
        <Chip selected={chosen.length === 0} onClick={() => choose([])}>
          {t('video.idle.any_language')}
        </Chip>
        {(Object.keys(locales) as Locale[]).map((locale) => (
          <Chip
            key={locale}
            lang={locale}
            selected={chosen.includes(locale)}
            onClick={() => toggle(locale)}
          >
            {locales[locale].name}
          </Chip>
        ))}
      </ChipRow>
    </div>
  )
}
