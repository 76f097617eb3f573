/** The texts of the companions in a call. They are content like a user's own, so they are not translated. */

/** The first line of every companion. */
export const DEMO_LINE = 'This is the demo: the server plays me, and my picture is a drawing.'

interface CompanionLines {
  readonly hello: string
  /** After a text with a question mark, in this order, then again from the first. */
  readonly questions: readonly string[]
  /** After any other text. */
  readonly answers: readonly string[]
  /** The call became private. */
  readonly private: string
}

export const COMPANION_LINES: Readonly<Record<string, CompanionLines>> = {
  alex: {
    hello: 'Hello! Sit down, I made the chair myself.',
    questions: ['Good question. I will plane it smooth and come back to you.', 'Oak, always oak.'],
    answers: ['I like that. It has a good grain.', 'Go on, the glue needs ten minutes anyway.'],
    private: 'Quieter here. I hear the rain on the workshop roof.',
  },
  omar: {
    hello: 'Good evening! The onions need forty minutes, so I have time.',
    questions: [
      'That depends on the butter, like everything.',
      'Next stop: my answer. Doors open slowly.',
    ],
    answers: ['You would like the bakery at the end of line three.', 'I stir and I listen. Go on.'],
    private: 'A table for two, then. The best one.',
  },
  tom: {
    hello: 'Hello. Your voice has a lovely room around it.',
    questions: ['Let me listen to that once more.', 'In one word: yes. In two: yes, slowly.'],
    answers: ['I turned everything else down.', 'That was the best sound of my day.'],
    private: 'Now even the noise floor is ours.',
  },
  sofia: {
    hello: 'Hello! I have clay up to the elbows, so I wave with my chin.',
    questions: [
      'Ask me again after one game of chess, I will have lost by then.',
      'Yes! Or the other thing. I am up since five.',
    ],
    answers: [
      'That made me smile, and the cup on the wheel is crooked now.',
      'Tell me more, the kiln is slow today.',
    ],
    private: 'Just us and a shelf of crooked cups. I like it.',
  },
  mira: {
    hello: 'Hello from Istanbul. The tea is ready and so are my opinions.',
    questions: [
      'I have an opinion about that. Do you have an hour?',
      'The old maps say yes, the new ones are not sure.',
    ],
    answers: [
      'I would draw that with a tower on it.',
      'That is a good sentence. It stands on its own.',
    ],
    private: 'A smaller room, a better view. Any architect would agree.',
  },
  lena: {
    hello: 'Hello! Mind the tomatoes, they are in the picture as well.',
    questions: ['I think best while cycling. Give me two hills.', 'The bees say yes.'],
    answers: [
      'I like that. It grows on me, like everything on this balcony.',
      'You have good air in your sentences.',
    ],
    private: 'Four square metres for two. Cosy.',
  },
  yuki: {
    hello: 'Hello. Please hold still for a moment, I am drawing you.',
    questions: [
      'I will draw the answer, it has few words.',
      'On the Yamanote line everybody asks that. I always nod.',
    ],
    answers: [
      'Wait, that smile was new. I need another pencil.',
      'I wrote that under the drawing.',
    ],
    private: 'Good. No one looks over my shoulder now.',
  },
  amara: {
    hello: 'Good evening, you are on air with Amara.',
    questions: [
      'Our listeners would like to know that, too. After the music.',
      'At dawn, in the sea, I know the answers to everything.',
    ],
    answers: [
      'I could say that into the microphone just as it is.',
      'You have a voice for the late hours.',
    ],
    private: 'The red light is off. Now we talk.',
  },
  noor: {
    hello: 'Hello. I usually write by hand, so be patient with me.',
    questions: [
      'I ask back: what would you like the answer to be?',
      'That one deserves paper and a good pen.',
    ],
    answers: ['I will remember that sentence.', 'Slowly, please. Good things are read twice.'],
    private: 'A sealed letter, then. Only you read it.',
  },
  ines: {
    hello: 'Hello! You missed the cello by a minute. Lucky you.',
    questions: [
      'Yes, but out of tune and with feeling.',
      'Ask the neighbour, he knows everything about me.',
    ],
    answers: ['That was a good note. Hold it.', 'I laughed, and the bow fell down.'],
    private: 'A concert for one. You asked for it.',
  },
  clara: {
    hello: 'Hello! Quiet please, the film begins.',
    questions: ['The answer comes in the last scene. Stay seated.', 'In black and white: yes.'],
    answers: ['I would put that on the poster.', 'Good line. Who wrote you?'],
    private: 'The last row. The best seats of the house.',
  },
  vera: {
    hello: 'Hello from the hut. The signal is good, the coffee is not.',
    questions: [
      'Seven letters, begins with M: maybe.',
      'Up here we answer that one at the summit.',
    ],
    answers: ['That was worth the climb.', 'Good. Drink something, and then tell me the rest.'],
    private: 'Above the clouds it is always private.',
  },
  zoe: {
    hello: 'HELLO! Sorry, that was my harbour voice. Hello.',
    questions: ['Aye! I mean, yes.', 'Ask me when the bread is out of the oven. Two minutes.'],
    answers: ['Ha! The gulls are laughing as well.', 'That calls for cake.'],
    private: 'All hands off the deck. Only us.',
  },
  elif: {
    hello: 'Hello! I turned the watering off so that I can hear you.',
    questions: ['It works on my machine.', 'Let me debug that thought for a second.'],
    answers: ['I committed that to memory.', 'The jasmine agrees with you.'],
    private: 'A private branch. I like it.',
  },
  dana: {
    hello: 'Hello! Shoulders down, chin up, and now a smile.',
    questions: ['Left foot first, then the answer.', 'Yes, on the second beat.'],
    answers: ['You have rhythm in that.', 'And turn! Tell me the next part.'],
    private: 'A slow one, then. Just for two.',
  },
}
