import type { ReactNode } from 'react'
import { toRole } from '@duet/protocol/kernel/roles.ts'
import { CrownSimpleIcon } from '@phosphor-icons/react/dist/csr/CrownSimple'
import { GlobeIcon } from '@phosphor-icons/react/dist/csr/Globe'
import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { SparkleIcon } from '@phosphor-icons/react/dist/csr/Sparkle'
import { WarningIcon } from '@phosphor-icons/react/dist/csr/Warning'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { Banner, Button, IconButton, KeyCap, PetalPair, Ring, Tag } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { findSrcSet } from '../../shared/media/src-set.ts'
import { useAppServices } from '../../shared/app-services.tsx'
import { useKeys } from '../../shared/controls/use-keys.ts'
import { OwnPicture } from '../../shared/video/screen-parts.tsx'
import { formatCountry, formatLanguage, formatPersonName } from '../../shared/texts/person.ts'
import { useSearchCommands } from './search-context.tsx'
import { useNow } from '../../shared/controls/use-time.ts'
import { Text } from '../../shared/texts/rich-text.tsx'
import { ScreenFrame } from '../../shared/video/screen-frame.tsx'
import { AutoAcceptSwitch } from './auto-accept-switch.tsx'
import type { OfferView } from './matchmaking-state.ts'
import { PriceLine } from './price-line.tsx'

type Pair = OfferView['pair']

/** After this number of calls the offer also proposes to accept automatically. */
const AT_ONCE_AFTER_CHATS = 3

/** The side of a square picture that covers the petal, which is higher than wide. */
const PORTRAIT_SIZES = '(min-width: 769px) 640px, 300px'

const KEY_PARTS = { key: (name: ReactNode) => <KeyCap>{name}</KeyCap> }

export function OfferScreen({ screen, onStop }: { screen: OfferView; onStop: () => void }) {
  const commands = useSearchCommands()
  const { pair, answer } = screen
  const { user_interlocutor: person, about } = pair
  useKeys({ Enter: () => void commands.accept(), Escape: () => void commands.skip() })
  return (
    <ScreenFrame
      end={
        <IconButton
          label={t('matching.searching.stop')}
          icon={<XIcon size={20} />}
          onClick={onStop}
        />
      }
    >
      <main className="mx-auto grid w-full max-w-[1240px] flex-1 items-center gap-x-14 gap-y-5 px-5 pb-[max(20px,env(safe-area-inset-bottom))] md:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)] md:px-10 md:pb-14">
        <PetalPair
          layout={{ hers: [0, 0, 482, 620], yours: [395, 412, 226, 226] }}
          overlap="ring"
          meeting={answer === 'accept' ? 'together' : undefined}
          hers={
            person.avatar
              ? {
                  src: person.avatar,
                  srcSet: findSrcSet(person.avatar_variants),
                  sizes: PORTRAIT_SIZES,
                  alt: person.nick,
                  priority: 'high',
                }
              : {
                  light: 'ember',
                  alt: person.nick,
                  icon: <UserIcon className="size-[30%] opacity-55" />,
                }
          }
          yours={{ children: <OwnPicture /> }}
          className="mx-auto max-w-[min(300px,36dvh)] md:max-w-[min(640px,72dvh)]"
        />
        <div className="flex min-w-0 flex-col gap-4 md:gap-5 [@media(height<500px)]:gap-2!">
          <Tag
            tone={pair.state === 'private' ? 'ember' : 'moon'}
            size={28}
            icon={<StateIcon state={pair.state} />}
          >
            {t(`matching.offer.${pair.state}`)}
          </Tag>
          <div className="flex flex-col gap-2">
            <h1
              tabIndex={-1}
              className="display-name outline-none [@media(height<500px)]:text-[2rem]!"
            >
              <bdi>{formatPersonName(person)}</bdi>
            </h1>
            {about ? (
              <p
                dir="auto"
                className="body line-clamp-3 text-[1.0625rem]! text-text-2 [@media(height<500px)]:hidden"
              >
                {about}
              </p>
            ) : null}
          </div>
          <PersonTags person={person} />
          <PriceLine pair={pair} />
          <MissedWarning {...pair} />
          <Answer screen={screen} />
          <AtOnce />
        </div>
      </main>
    </ScreenFrame>
  )
}

function StateIcon({ state }: { state: Pair['state'] }) {
  return state === 'private' ? (
    <LockSimpleIcon size={15} weight="fill" />
  ) : (
    <GlobeIcon size={15} weight="bold" />
  )
}

function PersonTags({ person }: { person: Pair['user_interlocutor'] }) {
  return (
    <div className="flex flex-wrap gap-1.5 [@media(height<500px)]:hidden">
      {person.is_companion ? (
        <Tag size={28} tone="warn">
          {t('person.companion')}
        </Tag>
      ) : null}
      <Tag size={28}>{formatLanguage(person.locale)}</Tag>
      {person.country ? <Tag size={28}>{formatCountry(person.country)}</Tag> : null}
      {person.is_top ? (
        <Tag size={28} tone="gold" icon={<CrownSimpleIcon size={15} weight="fill" />}>
          {t('matching.offer.top')}
        </Tag>
      ) : null}
      {toRole(person.role) === 'guy' && person.is_premium ? (
        <Tag size={28} tone="gold" icon={<CrownSimpleIcon size={15} weight="fill" />}>
          {t('word.premium')}
        </Tag>
      ) : null}
      {person.is_new ? (
        <Tag size={28} tone="moon" icon={<SparkleIcon size={15} weight="fill" />}>
          {t('matching.offer.new')}
        </Tag>
      ) : null}
    </div>
  )
}

/** Before the last offer in a row that a girl may leave without an answer. */
function MissedWarning({
  missed_offers: missed = 0,
  missed_offers_max: most,
}: Pick<Pair, 'missed_offers' | 'missed_offers_max'>) {
  if (most === undefined || missed === 0 || missed + 1 < most) return null
  return (
    <Banner icon={<WarningIcon size={20} weight="fill" />}>{t('matching.offer.missed')}</Banner>
  )
}

/** Two answers. The ring shows the remaining time. After this time the offer is skipped. */
function Answer({ screen: { pair, expires_at_ms, lasts_ms, answer } }: { screen: OfferView }) {
  const commands = useSearchCommands()
  const nowMs = useNow(200)
  const leftMs = Math.min(lasts_ms, Math.max(0, expires_at_ms - nowMs))
  const left = Math.ceil(leftMs / 1000)
  const hasAccepted = answer === 'accept'
  return (
    <>
      <div className="flex gap-2.5">
        <Button
          variant="primary"
          size={62}
          className="max-md:flex-1"
          aria-disabled={hasAccepted || undefined}
          onClick={() => void commands.accept()}
          end={
            <Ring
              value={lasts_ms > 0 ? (left * 1000) / lasts_ms : 0}
              tone="current"
              size={38}
              label={t('matching.offer.seconds_left', { seconds: left })}
            >
              {left}
            </Ring>
          }
        >
          {hasAccepted
            ? t('matching.offer.waiting', { nick: pair.user_interlocutor.nick })
            : t('matching.offer.hello')}
        </Button>
        <Button size={62} onClick={() => void commands.skip()}>
          {t('matching.offer.skip')}
        </Button>
      </div>
      <p className="note flex flex-wrap items-center gap-x-2 gap-y-1 text-text-3">
        <span className="contents max-md:hidden">
          <Text id="matching.offer.key_hello" parts={KEY_PARTS} />
          <Text id="matching.offer.key_skip" parts={KEY_PARTS} />
        </span>
        <span className="md:ms-2">{t('matching.offer.no_answer')}</span>
      </p>
    </>
  )
}

/** Never switched on without the user: proposed after three calls on this device. */
function AtOnce() {
  const { persistence } = useAppServices()
  if ((persistence.get('chat_count') ?? 0) < AT_ONCE_AFTER_CHATS) return null
  return <AutoAcceptSwitch label={t('matching.offer.at_once')} />
}
