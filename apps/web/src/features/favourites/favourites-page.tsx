import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { Link } from 'react-router'
import { Button, buttonLook, EmptyState, Skeleton, useSkeleton } from '@duet/ui'
import { PageFrame } from '../../shared/frame.tsx'
import { t } from '../../shared/i18n.ts'
import { FavouriteCard } from './favourite-card.tsx'
import { useFavourites } from '../../shared/people/use-favourites.ts'

const GRID =
  'grid grid-cols-2 gap-2.5 md:grid-cols-3 md:gap-[18px] lg:grid-cols-4 min-[1280px]:grid-cols-5'

/** `/favorites/`: the users that the viewer has marked, online first. */
export function FavouritesPage() {
  return (
    <PageFrame title={t('word.favourites')}>
      <FavouriteGrid />
    </PageFrame>
  )
}

function FavouriteGrid() {
  const { favourites, isLoading, isFailed, hasMore, isLoadingMore, retry, loadMore } =
    useFavourites()
  const isSkeleton = useSkeleton(isLoading)
  if (isLoading || isSkeleton) return isSkeleton ? <LoadingCards /> : <div className="min-h-96" />
  if (isFailed)
    return (
      <div role="alert">
        <EmptyState
          title={t('favourites.failed')}
          action={<Button onClick={retry}>{t('action.retry')}</Button>}
        />
      </div>
    )
  if (favourites.length === 0 && !hasMore)
    return (
      <EmptyState
        icon={<HeartIcon size={40} weight="duotone" />}
        title={t('favourites.empty')}
        text={t('favourites.empty_text')}
        action={
          <Link to="/" className={buttonLook({ variant: 'primary' })}>
            <VideoCameraIcon size={20} weight="fill" className="mirror" />
            {t('action.start_chat')}
          </Link>
        }
      />
    )
  return (
    <>
      <ul className={GRID}>
        {favourites.map((favourite) => (
          <FavouriteCard key={favourite.id} favourite={favourite} />
        ))}
      </ul>
      {hasMore ? (
        <Button className="self-center" busy={isLoadingMore} onClick={loadMore}>
          {t('action.show_more')}
        </Button>
      ) : null}
    </>
  )
}

function LoadingCards() {
  return (
    <div className={GRID} aria-busy>
      {['first', 'second', 'third', 'fourth', 'fifth'].map((key) => (
        <Skeleton key={key} className="aspect-[4/5] rounded-media!" />
      ))}
    </div>
  )
}
