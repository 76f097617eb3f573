import { Link } from 'react-router'
import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import type { GivenGift, ReceivedGift } from '@duet/protocol/contracts/gifts.ts'
import { Amount, Banner, EmptyState, Skeleton } from '@duet/ui'
import { useAmountFormat } from '../../shared/amounts.ts'
import { useOwnUser } from '../../shared/app-services.tsx'
import { PagedList } from '../../shared/controls/paged-list.tsx'
import { usePages } from '../../shared/controls/use-pages.ts'
import { PageFrame } from '../../shared/frame.tsx'
import { StartChatLink } from '../../shared/controls/start-chat-link.tsx'
import { t } from '../../shared/i18n.ts'
import { formatDay } from '../../shared/texts/format-day.ts'

const GRID = 'grid grid-cols-2 gap-2.5 md:grid-cols-3 md:gap-4 lg:grid-cols-4'

/** `/gifts/`: the gifts that a girl received, or that a guy gave. */
export function GiftsPage() {
  const user = useOwnUser()
  const pages = usePages('girl_gifts')
  const isGirl = user?.role === 'girl'
  return (
    <PageFrame title={t('word.gifts')}>
      {isGirl && user.can_accept_gifts === false ? (
        <Banner tone="danger" className="mb-5">
          {t('gifts.barred')}{' '}
          <Link to="/profile/#decisions" className="underline">
            {t('gifts.barred_why')}
          </Link>
        </Banner>
      ) : null}
      {pages.first && pages.items.length > 0 ? (
        <Sum sum={pages.first.sum} kind={isGirl ? 'coin' : 'diamond'} />
      ) : null}
      <PagedList
        pages={pages}
        failed={t('gifts.failed')}
        skeleton={<LoadingGifts />}
        empty={
          <EmptyState
            icon={<GiftIcon size={40} weight="duotone" />}
            title={t('gifts.empty')}
            text={t(isGirl ? 'gifts.empty_girl' : 'gifts.empty_guy')}
            action={<StartChatLink />}
          />
        }
      >
        {(items) => (
          <ul className={GRID}>
            {items.map((item) => (
              <GiftItem key={item.id} item={item} />
            ))}
          </ul>
        )}
      </PagedList>
    </PageFrame>
  )
}

function Sum({ sum, kind }: { sum: string; kind: 'coin' | 'diamond' }) {
  const formatAmount = useAmountFormat()
  const value = formatAmount(kind, sum)
  const facts = { value, count: Number(sum) }
  return (
    <p className="panel mb-5 flex items-center justify-between gap-4 px-5 py-4">
      <span className="ui text-text-2">
        {t(kind === 'coin' ? 'gifts.sum_girl' : 'gifts.sum_guy')}
      </span>
      <Amount
        kind={kind}
        size={18}
        value={value}
        label={t(kind === 'coin' ? 'wallet.coins' : 'wallet.diamonds', facts)}
        className="title"
      />
    </p>
  )
}

function GiftItem({ item }: { item: ReceivedGift | GivenGift }) {
  const formatAmount = useAmountFormat()
  const isReceived = 'reward' in item
  const nick = isReceived ? item.nick : (item.user_interlocutor?.nick ?? '')
  const amount = isReceived ? item.reward : item.price
  const kind = isReceived ? 'coin' : 'diamond'
  const value = formatAmount(kind, amount)
  return (
    <li className="panel flex flex-col items-center gap-1.5 px-4 py-5 text-center">
      <img
        src={item.gift.image}
        alt=""
        width={72}
        height={72}
        loading="lazy"
        className="size-[72px]"
      />
      <span className="ui font-[600]!">{item.gift.name}</span>
      <span className="note max-w-full truncate text-text-2">
        {t(isReceived ? 'gifts.from' : 'gifts.to', { nick: nick || t('gifts.somebody') })}
      </span>
      <Amount
        kind={kind}
        value={isReceived ? `+${value}` : value}
        label={t(isReceived ? 'wallet.coins' : 'wallet.diamonds', { value, count: Number(amount) })}
        {...(isReceived && { tone: 'gold' as const })}
      />
      <time dateTime={item.create_time} className="note text-text-3">
        {formatDay(item.create_time, 'medium')}
      </time>
    </li>
  )
}

function LoadingGifts() {
  return (
    <div className={GRID}>
      {['first', 'second', 'third', 'fourth'].map((key) => (
        <Skeleton key={key} className="h-52 rounded-panel!" />
      ))}
    </div>
  )
}
