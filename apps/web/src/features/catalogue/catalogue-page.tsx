import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { UsersThreeIcon } from '@phosphor-icons/react/dist/csr/UsersThree'
import { Button, EmptyState, useMobile } from '@duet/ui'
import { useAuthStatus } from '../../shared/account/auth-status.ts'
import { useOwnUser } from '../../shared/app-services.tsx'
import { PagedList } from '../../shared/controls/paged-list.tsx'
import { PageFrame } from '../../shared/frame.tsx'
import { t } from '../../shared/i18n.ts'
import { LoadingCards, PersonGrid } from '../../shared/people/card/person-grid.tsx'
import { VisitorBar } from '../../shared/navigation/visitor-bar.tsx'
import { FilterBar } from './filter-bar.tsx'
import { FilterChips } from './filter-chips.tsx'
import { type GirlFilter, useGirlFilter } from './girl-filter.ts'
import { PremiumLimit } from './premium-limit.tsx'
import { formatReason } from './reason.ts'
import { useGirls, useRecommendations } from './use-girls.ts'

/** `/girls/`: the girls who are online, the recommended girls, and the others. */
export function CataloguePage() {
  const isVisitor = useAuthStatus() === 'guest'
  const { filter, change } = useGirlFilter()
  const isMobile = useMobile()
  const Controls = isMobile ? FilterChips : FilterBar
  return (
    <>
      {isVisitor ? (
        <header className="mx-auto w-full max-w-[1440px] px-4 pt-4 md:px-9 md:pt-6">
          <VisitorBar />
        </header>
      ) : null}
      <PageFrame title={t('word.girls')}>
        <div className="flex flex-col gap-4 md:gap-5">
          <Controls filter={filter} onChange={change} />
          {filter.tab === 'recommended' && filter.name.trim() === '' ? (
            <Recommended />
          ) : (
            <Girls
              filter={filter}
              onClear={() => change({ name: '', language: undefined, top: false })}
            />
          )}
        </div>
      </PageFrame>
    </>
  )
}

function Girls({ filter, onClear }: { filter: GirlFilter; onClear: () => void }) {
  const pages = useGirls(filter)
  const isPremium = useOwnUser()?.is_premium === true
  // The server refuses the next page without Premium. The page says so, and has no button for it.
  const isLimited = !isPremium && pages.more !== 'end'
  return (
    <PagedList
      pages={isLimited ? { ...pages, more: 'end' } : pages}
      failed={t('catalogue.failed')}
      skeleton={<LoadingCards />}
      empty={<NoGirls filter={filter} onClear={onClear} />}
    >
      {(girls) => (
        <>
          <PersonGrid people={girls} />
          {isLimited ? <PremiumLimit shown={girls.length} /> : null}
        </>
      )}
    </PagedList>
  )
}

function Recommended() {
  return (
    <PagedList
      pages={useRecommendations()}
      failed={t('catalogue.failed')}
      skeleton={<LoadingCards />}
      empty={
        <EmptyState
          icon={<UsersThreeIcon size={40} weight="duotone" />}
          title={t('catalogue.empty.recommended')}
          text={t('catalogue.empty.recommended_text')}
        />
      }
    >
      {(girls) => <PersonGrid people={girls} note={formatReason} />}
    </PagedList>
  )
}

function NoGirls({ filter, onClear }: { filter: GirlFilter; onClear: () => void }) {
  const clear = (
    <Button variant="primary" onClick={onClear}>
      {t('catalogue.clear')}
    </Button>
  )
  if (filter.name.trim() !== '')
    return (
      <EmptyState
        icon={<MagnifyingGlassIcon size={40} weight="duotone" />}
        title={t('catalogue.empty.name')}
        text={t('catalogue.empty.name_text')}
        action={clear}
      />
    )
  const kind = filter.tab === 'offline' ? 'offline' : 'online'
  return (
    <EmptyState
      icon={<UsersThreeIcon size={40} weight="duotone" />}
      title={t(`catalogue.empty.${kind}`)}
      text={t(`catalogue.empty.${filter.top ? 'top' : filter.language ? 'language' : kind}_text`)}
      {...((filter.language || filter.top) && { action: clear })}
    />
  )
}
