/**
 * Descriptions of endpoints that were written after the table of jobs, to measure this table. Each line has a purpose
 * and a description. Do not change the table because of these lines, or they no longer measure anything.
 */
const DESCRIPTIONS = `
token-price: Price oracle for coins: name in, dollars out
token-price: Latest market value of any ERC-20 by contract
candles: Chart data: OHLCV at one minute to one month resolution
candles: Backtesting data set: historical candles for crypto pairs
wallet: Net worth of an address, token by token
wallet: Multi-chain balance checker
swap: Trade tokens through the cheapest DEX route
swap: Swap quote with slippage and calldata
yields: Where do I earn the most on USDC? Vaults and lending markets compared
yields: Staking APR of validators and liquid staking tokens
scrape: URL to Markdown converter
scrape: Web scraper that handles JavaScript and paywalls, returns text
llm: Text generation with Qwen and DeepSeek models
llm: GPT-5 chat, priced per call
tts: Narrate scripts with lifelike voices
tts: Voice over generator, WAV output
stt: Transcribe podcasts with speaker labels
stt: Subtitles for any audio or video file
translation: Translate product pages into German, French or Thai
translation: Language translation with glossary
image: Generate marketing visuals from a prompt
image: AI art from words
screenshot: Website thumbnail generator
screenshot: Render a page and return an image of it
pdf: Make PDF reports from Markdown
pdf: PDF generator for invoices and letters
weather: Rain radar and forecast by city
weather: How hot is it in Madrid? Weather now
routing: Turn-by-turn directions for cars and bikes
routing: Distance and travel time between two addresses
flights: Compare airline tickets
flights: Flight search with prices, stops and duration
parcel: Package tracking over all couriers
parcel: Delivery status of DHL and UPS shipments
places: Find a pharmacy, bar or gym near me
places: Google Maps business listings with stars and phone
phone: Validate phone numbers: country, carrier, type
phone: Number intelligence: VoIP, mobile, landline
people: Prospect data: job role, seniority and direct email
people: Who works there? Contacts of a firm
sanctions: Sanctions screening API: OFAC SDN, HMT and EU
sanctions: PEP and watchlist check for onboarding
breach: Check credentials against known leaks
breach: Was this password pwned?
tweets: Get posts of an X user
tweets: Search recent tweets by hashtag
odds: Sports betting odds comparison
odds: Moneyline and spreads for NFL and NBA games
jobs: Job board search: titles, pay, location
jobs: Latest hiring ads from company websites
vin: Vehicle data from a VIN
vin: Car history: make, trim, recalls
recipes: Recipe finder by ingredient
recipes: What can I cook with chicken and rice?
`;

export const HELD_OUT = DESCRIPTIONS.trim()
  .split('\n')
  .map((line) => {
    const [purpose = '', text = ''] = line.split(/: (.*)/s);
    return { purpose, text };
  });
