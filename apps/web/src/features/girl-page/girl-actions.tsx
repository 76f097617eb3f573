import { CalendarHeartIcon } from '@phosphor-icons/react/dist/csr/CalendarHeart'
import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { Link } from 'react-router'
import { Button, type ButtonProps, buttonLook, cx } from '@duet/ui'
import { useOwnUser } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { useCall } from '../../shared/people/use-call.ts'
import { useFavourite, useWanted } from '../../shared/people/use-favourite.ts'
import { CallButton } from '../../shared/people/call-button.tsx'
import { GiftButton } from '../../shared/gifts/gift-button.tsx'
import { WriteButton } from '../../shared/people/write-button.tsx'
import type { ShownGirl } from './use-girl.ts'
import { BellIcon } from '@phosphor-icons/react/dist/csr/Bell'
import { BellRingingIcon } from '@phosphor-icons/react/dist/csr/BellRinging'
import type { Permission, UserInterlocutor } from '@duet/protocol'

/** A phone has room for one label. The other actions are icons with names for screen readers. */
const ICON_ON_PHONE =
  'max-md:w-[54px] max-md:shrink-0 max-md:gap-0! max-md:px-0! max-md:[&>span:last-child]:sr-only'

/** The possible ways to meet the girl. While the girl is offline, writing comes first. Otherwise a call comes first. */
export function GirlActions({
  girl,
  canCall,
}: {
  girl: ShownGirl
  canCall: Permission | undefined
}) {
  const isGirl = useOwnUser()?.role === 'girl'
  const { reason } = useCall(girl, canCall)
  // A girl who left a moment ago is offline, and her phone still rings.
  const isAway = girl.status === 'offline' && canCall?.allowed !== true
  if (isGirl) return <FavouriteButton girl={girl} />
  return (
    <div className="flex flex-col gap-3">
      <div className="flex gap-2.5 md:flex-wrap">
        {isAway ? (
          <>
            <WriteButton person={girl} variant="primary" size={54} className="max-md:flex-1" />
            <WantGirlButton girl={girl} size={54} className={ICON_ON_PHONE} />
          </>
        ) : (
          <>
            <CallButton
              person={girl}
              known={canCall}
              variant="primary"
              size={54}
              className="max-md:flex-1"
            />
            <WriteButton person={girl} size={54} className={ICON_ON_PHONE} />
          </>
        )}
        <FavouriteButton girl={girl} className={ICON_ON_PHONE} />
        <GiftButton person={girl} size={54} className={ICON_ON_PHONE} />
        {girl.is_favorite ? <DateLink girl={girl} /> : null}
      </div>
      <p className="note max-w-[52ch] text-text-2 max-md:hidden">
        {isAway ? t('girl.offline_text') : (reason ?? t('girl.meet_text'))}
      </p>
    </div>
  )
}

/** A favourite may be asked for a date. */
function DateLink({ girl: { id } }: { girl: ShownGirl }) {
  return (
    <Link
      to={`/virtualdate/?with=${id}`}
      className={cx(buttonLook({ variant: 'secondary', size: 54 }), ICON_ON_PHONE)}
    >
      <CalendarHeartIcon size={22} />
      <span>{t('person.ask_date')}</span>
    </Link>
  )
}

function FavouriteButton({ girl, className }: { girl: ShownGirl; className?: string }) {
  const { busy, toggle } = useFavourite(girl)
  const isFavourite = girl.is_favorite
  const label = t(isFavourite ? 'favourite.remove' : 'favourite.add')
  return (
    <Button
      size={54}
      className={className}
      aria-label={label}
      aria-pressed={isFavourite}
      busy={busy}
      icon={
        <HeartIcon
          size={22}
          weight={isFavourite ? 'fill' : 'regular'}
          className={isFavourite ? 'text-ember-hi' : undefined}
        />
      }
      onClick={toggle}
    >
      {t('favourite.short')}
    </Button>
  )
}

interface WantGirlButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'className'> {
  readonly girl: Pick<UserInterlocutor, 'id' | 'is_wanted'>
}

/**
 * For a guy, while the girl is offline: requests a notice of her next visit, or ends the request. A visitor logs in
 * first.
 */
export function WantGirlButton({ girl, variant = 'secondary', ...look }: WantGirlButtonProps) {
  const { busy, isWanted, toggle } = useWanted(girl)
  return (
    <Button
      {...look}
      // After the wish, this is not the primary action any more.
      variant={isWanted ? 'secondary' : variant}
      aria-pressed={isWanted}
      busy={busy}
      icon={isWanted ? <BellRingingIcon size={20} weight="fill" /> : <BellIcon size={20} />}
      onClick={toggle}
    >
      {isWanted ? t('want_girl.on') : t('want_girl.off')}
    </Button>
  )
}
