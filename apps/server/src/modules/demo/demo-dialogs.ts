/** A line of a dialog of the demo. Its text is content like a user's own, so it is not translated. */
export interface DemoLine {
  readonly by: 'her' | 'him'
  readonly type: 'text' | 'like'
  readonly text: string
}

/** Lines that were written one after the other, some hours before the first start. */
export interface DemoConversation {
  readonly hours_ago: number
  readonly lines: readonly DemoLine[]
}

export interface DemoDialog {
  readonly guy: string
  readonly girl: string
  /** How many of the last lines are not read. */
  readonly unread?: number
  readonly conversations: readonly DemoConversation[]
}

const her = (text: string): DemoLine => ({ by: 'her', type: 'text', text })
const him = (text: string): DemoLine => ({ by: 'him', type: 'text', text })
const herLike: DemoLine = { by: 'her', type: 'like', text: '' }

/** The dialogs of the demo users. The dialog with the most recent message is last. */
export const DEMO_DIALOGS: readonly DemoDialog[] = [
  {
    guy: 'alex',
    girl: 'zoe',
    conversations: [
      {
        hours_ago: 99,
        lines: [
          her('You said a boat is just a table that leaks. I have thought about it for two days.'),
          him('As a carpenter I stand by every word.'),
          her('Then a table is just a boat that never left home. Poor thing.'),
          him('Ok, you win'),
        ],
      },
    ],
  },
  {
    guy: 'alex',
    girl: 'clara',
    conversations: [
      {
        hours_ago: 80,
        lines: [
          her(
            'Found a poster from 1954 under another poster from 1961. Someone was lazy, thank God.',
          ),
          him('What is on it?'),
          her('A kiss, mostly. And half of a train.'),
        ],
      },
      {
        hours_ago: 74,
        lines: [him('Did you get to the market before it rained?'), her('The rain won again')],
      },
    ],
  },
  {
    guy: 'omar',
    girl: 'amara',
    conversations: [
      {
        hours_ago: 70,
        lines: [
          him(
            'I listened to you from the depot last night. The last tram waited two minutes because of your story.',
          ),
          her('Then two minutes of Lyon belong to me. What did the passengers say?'),
          him('Nothing. They were listening.'),
        ],
      },
      {
        hours_ago: 46,
        lines: [
          her(
            'The sea was flat as paper this morning. I swam to the buoy and back, slowly, for once.',
          ),
          him('Slow is how I cook. It is the better way for almost everything.'),
        ],
      },
    ],
  },
  {
    guy: 'alex',
    girl: 'yuki',
    conversations: [
      {
        hours_ago: 52,
        lines: [
          her(
            'Today I drew a man who slept standing up. When I gave him the drawing he said: that is my good side.',
          ),
          him('Do you ever keep one?'),
          her('Only the ones where someone gets off too early.'),
          him('Then I hope you have a big drawer.'),
          her('It is midnight here, and my tea is cold'),
          him('Sleep well, talk tomorrow'),
        ],
      },
    ],
  },
  {
    guy: 'tom',
    girl: 'ines',
    conversations: [
      {
        hours_ago: 30,
        lines: [
          her('I recorded the Sarabande with my phone in the bathroom. Tell me the truth.'),
          him(
            'The truth: take the towel off the radiator, it eats the low notes. The playing is lovely.',
          ),
          her('Badly and happily, as promised!'),
        ],
      },
    ],
  },
  {
    guy: 'omar',
    girl: 'sofia',
    conversations: [
      {
        hours_ago: 27,
        lines: [
          him(
            'A question for a ceramics teacher: my casserole has a crack as thin as a hair. Is that the end?',
          ),
          her(
            'Pour warm milk in and leave it for an hour. The milk closes the crack. My grandmother did it.',
          ),
          him('It worked. I owe your grandmother a lamb stew.'),
          her('She would ask whether you put cinnamon in it.'),
          him('Half a stick. I am not a barbarian.'),
        ],
      },
    ],
  },
  {
    guy: 'alex',
    girl: 'lena',
    unread: 1,
    conversations: [{ hours_ago: 6, lines: [herLike] }],
  },
  {
    guy: 'tom',
    girl: 'sofia',
    unread: 1,
    conversations: [
      {
        hours_ago: 50,
        lines: [
          her('You were so quiet in the call that I asked myself whether the sound was off.'),
          him('I was listening. Your kiln hums in B flat, did you know?'),
          her('Now I hear nothing else. Thank you very much!'),
        ],
      },
      { hours_ago: 4.2, lines: [him('May I record the kiln one day? I would bring cake.')] },
    ],
  },
  {
    guy: 'alex',
    girl: 'noor',
    unread: 2,
    conversations: [
      {
        hours_ago: 26,
        lines: [
          her('I wrote you a letter, on paper. Now I have no idea how letters get to Bristol.'),
          him('By someone who whistles. What is in it?'),
          her('A question. You get it when it arrives.'),
        ],
      },
      {
        hours_ago: 3.4,
        lines: [
          him('The postman was here. Only bills, and he did not whistle.'),
          her('Then I will read it to you one evening.'),
          her('Voice is tired today, but my heart is here'),
        ],
      },
    ],
  },
  {
    guy: 'alex',
    girl: 'mira',
    conversations: [
      {
        hours_ago: 49,
        lines: [
          her('Strong opinion number four: tea from a mug is soup.'),
          him('I have only mugs. I could turn you a cup out of walnut.'),
          her('A wooden tea glass. My aunts would send the police.'),
        ],
      },
      {
        hours_ago: 2.1,
        lines: [
          her(
            'Look what I carried home: the whole Bosphorus for forty lira, with a coffee stain where my house is now.',
          ),
          him('That map is from 1893?'),
        ],
      },
    ],
  },
  {
    guy: 'alex',
    girl: 'sofia',
    unread: 1,
    conversations: [
      {
        hours_ago: 75,
        lines: [
          her('You left before I could beat you at chess. Very clever.'),
          him('You had lost your queen and called it a plan.'),
          her('It was a plan! A sad one.'),
        ],
      },
      {
        hours_ago: 28,
        lines: [
          him('How was the class today?'),
          her(
            'Eleven children, eleven dragons. One of the dragons is a cup, but we do not say it.',
          ),
          him('I would drink from that dragon.'),
        ],
      },
      {
        hours_ago: 1.2,
        lines: [
          her('The kiln opens tomorrow. I am nervous like before an exam.'),
          him('You said that last time, and the blue one sold in a day.'),
          her("You remembered! Fine, then I'll show you first. Nine o'clock on video?"),
        ],
      },
    ],
  },
]
