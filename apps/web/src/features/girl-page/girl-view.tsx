import { MapPinIcon } from '@phosphor-icons/react/dist/csr/MapPin'
import { TranslateIcon } from '@phosphor-icons/react/dist/csr/Translate'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import type { Permission } from '@duet/protocol'
import { cx, Petal, Banner, Button, IconButton, Menu, buttonLook } from '@duet/ui'
import { useAuthStatus } from '../../shared/account/auth-status.ts'
import { useOwnUser } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { findSrcSet } from '../../shared/media/src-set.ts'
import { StatusTag } from '../../shared/people/status-tag.tsx'
import { timeAgo } from '../../shared/texts/time-ago.ts'
import { formatCountry, formatLanguage, formatPersonName } from '../../shared/texts/person.ts'
import { GirlActions } from './girl-actions.tsx'
import { GirlGalleries } from './girl-galleries.tsx'
import type { ShownGirl } from './use-girl.ts'
import { EyeSlashIcon } from '@phosphor-icons/react/dist/csr/EyeSlash'
import { useAgeConfirmation } from '../../shared/account/age-confirmation.ts'
import { useMembership } from '../../shared/people/use-membership.ts'
import { DotsThreeIcon } from '@phosphor-icons/react/dist/csr/DotsThree'
import { useNavigate, Link } from 'react-router'
import { usePersonMenu } from '../../shared/people/use-person-menu.tsx'
import { PencilSimpleIcon } from '@phosphor-icons/react/dist/csr/PencilSimple'

/** The side of a square picture that covers the portrait, which is higher than wide. */
const PORTRAIT_SIZES = '(min-width: 769px) 520px, 125vw'

/**
 * The girl's portrait at the start stays while the rest scrolls. On a phone the portrait is above the rest, and the
 * actions are at the bottom.
 */
export function GirlView({
  girl,
  canCall,
  refCode,
}: {
  girl: ShownGirl
  canCall: Permission | undefined
  refCode: string
}) {
  const user = useOwnUser()
  const isMember = useAuthStatus() === 'member'
  const isOwn = user?.id === girl.id
  return (
    <div className="grid items-start gap-6 max-md:pb-40 md:grid-cols-[minmax(0,420px)_minmax(0,1fr)] md:gap-12">
      <Petal
        shape="hers"
        src={girl.avatar ?? undefined}
        srcSet={findSrcSet(girl.avatar_variants)}
        sizes={PORTRAIT_SIZES}
        alt={girl.nick}
        priority="high"
        light="ember"
        icon={girl.avatar ? undefined : <UserIcon size={72} className="opacity-60" />}
        className="aspect-[4/5] w-full md:sticky md:top-6 md:aspect-[420/520]"
      />
      <div className="flex min-w-0 flex-col gap-6 md:pt-4">
        <div className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <h1 tabIndex={-1} className="display-l wrap-anywhere">
              {formatPersonName(girl)}
            </h1>
            <GirlFacts girl={girl} />
          </div>
          {isMember && !isOwn ? <GirlMenu girl={girl} /> : null}
        </div>
        {girl.about ? (
          <p
            dir="auto"
            className="body w-fit max-w-[62ch] whitespace-pre-line wrap-anywhere text-text-2"
          >
            {girl.about}
          </p>
        ) : null}
        <div
          className={cx(
            'max-md:fixed max-md:inset-x-0 max-md:z-sticky max-md:border-t max-md:border-hair max-md:bg-bg max-md:px-4 max-md:py-3',
            // Above the tab bar of members.
            isMember
              ? 'max-md:bottom-[calc(56px+env(safe-area-inset-bottom))]'
              : 'max-md:bottom-0 max-md:pb-[max(12px,env(safe-area-inset-bottom))]',
          )}
        >
          {isOwn ? <OwnActions /> : <GirlActions girl={girl} canCall={canCall} />}
        </div>
        {isOwn ? null : <BlurNote />}
        <GirlGalleries girl={girl} refCode={refCode} isOwn={isOwn} />
      </div>
    </div>
  )
}

function GirlFacts({ girl }: { girl: ShownGirl }) {
  const { status, country, locale, last_visit } = girl
  return (
    <ul className="note mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-text-2">
      <li aria-live="polite">
        <StatusTag status={status} />
      </li>
      {status === 'offline' && last_visit ? (
        <li>{t('girl.last_visit', { when: timeAgo(last_visit, Date.now()) })}</li>
      ) : null}
      {country ? (
        <li className="inline-flex items-center gap-1.5">
          <MapPinIcon size={16} />
          {formatCountry(country)}
        </li>
      ) : null}
      <li className="inline-flex items-center gap-1.5">
        <TranslateIcon size={16} />
        {formatLanguage(locale)}
      </li>
    </ul>
  )
}

/** Explains why every picture is blurred and how the viewer sees the pictures: they are for adults with an account. */
function BlurNote() {
  const user = useOwnUser()
  const isMember = useAuthStatus() === 'member'
  const confirmAge = useAgeConfirmation()
  const membership = useMembership()
  if (!user || (isMember && user.age_confirmed)) return null
  const uncover = async () => {
    if (await membership()) await confirmAge()
  }
  return (
    <Banner
      tone="plain"
      icon={<EyeSlashIcon size={20} />}
      action={
        <Button size={36} onClick={() => void uncover()}>
          {t(isMember ? 'action.confirm' : 'action.log_in')}
        </Button>
      }
    >
      {t(isMember ? 'girl.blurred_age' : 'girl.blurred_visitor')}
    </Banner>
  )
}

function GirlMenu({ girl }: { girl: ShownGirl }) {
  const navigate = useNavigate()
  const { busy, report, block } = usePersonMenu(girl, { onBlocked: () => navigate('/') })
  return (
    <Menu
      trigger={
        <IconButton
          variant="quiet"
          label={t('word.more')}
          busy={busy}
          icon={<DotsThreeIcon size={24} weight="bold" />}
        />
      }
      entries={[report, block]}
    />
  )
}

/** For a girl on her own page: this is a preview, with a link to edit the page. */
function OwnActions() {
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <Link
        to="/profile/"
        className={`${buttonLook({ variant: 'primary', size: 54 })} max-md:w-full`}
      >
        <PencilSimpleIcon size={20} weight="fill" />
        {t('girl.edit')}
      </Link>
      <p className="note min-w-48 flex-1 text-text-2 max-md:hidden">{t('girl.own_text')}</p>
    </div>
  )
}
