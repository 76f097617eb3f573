/** Other sites of video chat. Their names are masked until the operator chooses other words. */
export const COMPETITORS = [
  'bazoocam',
  'camsurf',
  'chatrandom',
  'chatroulette',
  'coomeet',
  'dirtyroulette',
  'emeraldchat',
  'flirtymania',
  'luckycrush',
  'omegle',
  'ometv',
  'shagle',
]

/** Of English alone: a language without phrases of its own shows these until the operator writes some. */
export const FAST_PHRASES = [
  'en:Hi! How are you?',
  'en:Where are you from?',
  'en:Tell me about yourself',
  'en:You have a lovely smile',
  'en:What do you like to do?',
  'en:Shall we have a video call?',
]
