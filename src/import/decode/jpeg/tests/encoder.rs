//! Writes files from coefficients: sequential ones, and progressive ones in any order of scans that the standard knows
//! (ITU-T T.81, annexes F and G).

/// How a file is written.
#[derive(Debug, Clone)]
pub struct Plan {
    pub width: usize,
    pub height: usize,
    /// How many blocks each component has in a unit, across and down.
    pub components: Vec<(usize, usize)>,
    pub scans: Vec<Scan>,
    /// After how many units a scan starts anew; never, if that is 0.
    pub interval: usize,
    /// Each coefficient but the mean value is zero that often, of 256.
    pub zeros: u32,
}

#[derive(Debug, Clone)]
pub struct Scan {
    pub components: Vec<usize>,
    pub first: usize,
    pub last: usize,
    pub high: u8,
    pub low: u8,
}

impl Scan {
    pub fn new(components: &[usize], band: (usize, usize), bits: (u8, u8)) -> Self {
        let ((first, last), (high, low)) = (band, bits);
        let components = components.to_vec();
        Self {
            components,
            first,
            last,
            high,
            low,
        }
    }
}

/// The scans that encoders usually write.
pub fn usual_scans(components: usize) -> Vec<Scan> {
    let all: Vec<usize> = (0..components).collect();
    let mut scans = vec![
        Scan::new(&all, (0, 0), (0, 1)),
        Scan::new(&[0], (1, 5), (0, 2)),
        Scan::new(&[0], (6, 63), (0, 2)),
        Scan::new(&[0], (1, 63), (2, 1)),
        Scan::new(&all, (0, 0), (1, 0)),
        Scan::new(&[0], (1, 63), (1, 0)),
    ];
    for component in 1..components {
        scans.insert(2, Scan::new(&[component], (1, 63), (0, 1)));
        scans.insert(scans.len() - 1, Scan::new(&[component], (1, 63), (1, 0)));
    }
    scans
}

/// The scan of a sequential file.
pub fn whole_scan(components: usize) -> Vec<Scan> {
    let all: Vec<usize> = (0..components).collect();
    vec![Scan::new(&all, (0, 63), (0, 0))]
}

/// Numbers that look like chance, and are the same each time.
pub struct Noise(pub u32);

impl Noise {
    pub fn next(&mut self, below: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % below
    }
}

/// A code, of one of the tables of a scan, and the bits behind it, of so many each.
struct Token {
    symbol: Option<(usize, u8)>,
    bits: Vec<bool>,
}

/// The bits of a number from the highest down.
fn bits(value: u32, count: u32) -> Vec<bool> {
    (0..count).rev().map(|bit| value >> bit & 1 == 1).collect()
}

/// How many bits a number takes, and which.
fn magnitude(value: i32) -> (u8, Vec<bool>) {
    let size = 32 - value.unsigned_abs().leading_zeros();
    let coded = if value < 0 { value - 1 } else { value };
    (size as u8, bits(coded as u32, size))
}

/// Coefficients of a component in coding order, block by block.
struct Component {
    across: usize,
    down: usize,
    width: usize,
    height: usize,
    stride: usize,
    blocks: Vec<[i32; 64]>,
}

/// What a scan is until codes are chosen: tokens, and where it starts anew.
#[derive(Default)]
struct Written {
    parts: Vec<Vec<Token>>,
    ended: u32,
    corrections: Vec<bool>,
}

impl Written {
    /// With a symbol for coefficients but mean values.
    fn put(&mut self, symbol: Option<u8>, bits: Vec<bool>) {
        let symbol = symbol.map(|it| (1, it));
        self.parts.last_mut().unwrap().push(Token { symbol, bits });
    }

    fn mean(&mut self, more: i32) {
        let (size, bits) = magnitude(more);
        let symbol = Some((0, size));
        self.parts.last_mut().unwrap().push(Token { symbol, bits });
    }

    /// Ends the blocks in which nothing more comes.
    fn flush(&mut self) {
        if self.ended > 0 {
            let size = 31 - self.ended.leading_zeros();
            self.put(Some((size as u8) << 4), bits(self.ended, size));
            let corrections = std::mem::take(&mut self.corrections);
            self.put(None, corrections);
            self.ended = 0;
        }
    }

    fn first(&mut self, block: &[i32; 64], scan: &Scan) {
        let mut run = 0_u8;
        for &value in &block[scan.first..=scan.last] {
            let value = value.signum() * (value.abs() >> scan.low);
            if value == 0 {
                run += 1;
                continue;
            }
            self.flush();
            while run > 15 {
                self.put(Some(0xf0), Vec::new());
                run -= 16;
            }
            let (size, bits) = magnitude(value);
            self.put(Some(run << 4 | size), bits);
            run = 0;
        }
        self.end_block(run > 0);
    }

    fn end_block(&mut self, has_ended: bool) {
        self.ended += u32::from(has_ended);
        if self.ended == 0x7fff {
            self.flush();
        }
    }

    fn refine(&mut self, block: &[i32; 64], scan: &Scan) {
        let bits: Vec<i32> = block.iter().map(|it| it.abs() >> scan.low).collect();
        let band = scan.first..=scan.last;
        let last_new = band.clone().rev().find(|place| bits[*place] == 1);
        let mut corrections = Vec::new();
        let mut run = 0_u8;
        for place in band {
            if bits[place] == 0 {
                run += 1;
                continue;
            }
            while run > 15 && last_new.is_some_and(|last| place <= last) {
                self.flush();
                self.put(Some(0xf0), std::mem::take(&mut corrections));
                run -= 16;
            }
            if bits[place] > 1 {
                corrections.push(bits[place] & 1 == 1);
                continue;
            }
            self.flush();
            let mut behind = vec![block[place] > 0];
            behind.append(&mut corrections);
            self.put(Some(run << 4 | 1), behind);
            run = 0;
        }
        let has_ended = run > 0 || !corrections.is_empty();
        self.corrections.append(&mut corrections);
        self.end_block(has_ended);
    }
}

fn component(plan: &Plan, index: usize, noise: &mut Noise) -> Component {
    let most = |which: fn(&(usize, usize)) -> usize| plan.components.iter().map(which).max();
    let (most_across, most_down) = (most(|it| it.0).unwrap(), most(|it| it.1).unwrap());
    let (across, down) = plan.components[index];
    let stride = plan.width.div_ceil(8 * most_across) * across;
    let rows = plan.height.div_ceil(8 * most_down) * down;
    let mut mean = 0;
    let block = |_| {
        let mut block = [0; 64];
        mean += noise.next(120) as i32 - 60;
        mean = mean.clamp(-900, 900);
        block[0] = mean;
        // Some blocks are even.
        if noise.next(3) > 0 {
            for (place, value) in block.iter_mut().enumerate().skip(1) {
                if noise.next(256) >= plan.zeros {
                    let most = (400 / (place as u32 + 1)).max(2);
                    *value = noise.next(2 * most + 1) as i32 - most as i32;
                }
            }
        }
        block
    };
    Component {
        across,
        down,
        width: (plan.width * across).div_ceil(8 * most_across),
        height: (plan.height * down).div_ceil(8 * most_down),
        stride,
        blocks: (0..stride * rows).map(block).collect(),
    }
}

/// The blocks of a scan, unit by unit, each with its component.
fn units(scan: &Scan, components: &[Component]) -> Vec<Vec<(usize, usize)>> {
    if let [index] = scan.components[..] {
        let it = &components[index];
        let rows = 0..it.height;
        let row = |y| (0..it.width).map(move |x| vec![(index, y * it.stride + x)]);
        return rows.flat_map(row).collect();
    }
    let it = &components[0];
    let (across, down) = (it.stride / it.across, it.blocks.len() / it.stride / it.down);
    let unit = |place: usize| {
        let (x, y) = (place % across, place / across);
        let mut unit = Vec::new();
        for &index in &scan.components {
            let it = &components[index];
            for row in 0..it.down {
                for column in 0..it.across {
                    let place = (y * it.down + row) * it.stride + x * it.across + column;
                    unit.push((index, place));
                }
            }
        }
        unit
    };
    (0..across * down).map(unit).collect()
}

fn written(plan: &Plan, scan: &Scan, components: &[Component]) -> Vec<Vec<Token>> {
    let mut out = Written::default();
    let mut latest = vec![0; components.len()];
    for (place, unit) in units(scan, components).into_iter().enumerate() {
        if place == 0 || plan.interval > 0 && place % plan.interval == 0 {
            if place > 0 {
                out.flush();
            }
            out.parts.push(Vec::new());
            latest.fill(0);
        }
        for (index, block) in unit {
            let block = &components[index].blocks[block];
            if (scan.first, scan.high) == (0, 0) {
                let mean = block[0] >> scan.low;
                out.mean(mean - latest[index]);
                latest[index] = mean;
            }
            match (scan.first, scan.high) {
                (0, 0) if scan.last > 0 => {
                    out.first(block, &Scan::new(&[], (1, scan.last), (0, 0)));
                    out.flush();
                }
                (0, 0) => {}
                (0, _) => out.put(None, vec![block[0] >> scan.low & 1 == 1]),
                (_, 0) => out.first(block, scan),
                _ => out.refine(block, scan),
            }
        }
    }
    out.flush();
    out.parts
}

/// Codes for what a table of a scan has: short ones for what is frequent, and the longest for all others.
fn codes(parts: &[Vec<Token>], table: usize) -> ([u8; 16], Vec<u8>) {
    let mut counts = [0_usize; 256];
    let symbols = parts.iter().flatten().filter_map(|token| token.symbol);
    for (_, symbol) in symbols.filter(|it| it.0 == table) {
        counts[usize::from(symbol)] += 1;
    }
    let mut symbols: Vec<u8> = (0..=255)
        .filter(|it| counts[usize::from(*it)] > 0)
        .collect();
    symbols.sort_by_key(|it| std::cmp::Reverse(counts[usize::from(*it)]));
    let mut lengths = [0; 16];
    for place in 0..symbols.len() {
        // Some codes are left for all others.
        let length = match place {
            0 => 2,
            1..3 => 3,
            3..15 => 4 + (place - 3) / 2,
            _ => 16,
        };
        lengths[length - 1] += 1;
    }
    (lengths, symbols)
}

pub fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u16 + 2).to_be_bytes();
    [&[0xff, marker], &length[..], content].concat()
}

/// The codes of a scan, and the scan.
fn encode(plan: &Plan, scan: &Scan, components: &[Component], file: &mut Vec<u8>) {
    let parts = written(plan, scan, components);
    let mut all = vec![(0, 0); 2 * 256];
    for (class, all) in all.chunks_mut(256).enumerate() {
        let (lengths, symbols) = codes(&parts, class);
        if (scan.first > 0 && class == 0) || (scan.last == 0 && class == 1) {
            continue;
        }
        let class = (class as u8) << 4;
        file.extend(segment(0xc4, &[&[class], &lengths[..], &symbols].concat()));
        let (mut code, mut next) = (0, symbols.iter());
        for (length, &count) in (1..).zip(&lengths) {
            for symbol in next.by_ref().take(usize::from(count)) {
                all[usize::from(*symbol)] = (code, length);
                code += 1;
            }
            code <<= 1;
        }
    }
    let mut head = vec![scan.components.len() as u8];
    for index in &scan.components {
        head.extend([*index as u8 + 1, 0]);
    }
    head.extend([scan.first as u8, scan.last as u8, scan.high << 4 | scan.low]);
    file.extend(segment(0xda, &head));
    for (place, part) in parts.iter().enumerate() {
        if place > 0 {
            file.extend([0xff, 0xd0 + (place - 1) as u8 % 8]);
        }
        let mut stream = Vec::new();
        for token in part {
            if let Some((table, symbol)) = token.symbol {
                let (code, length) = all[256 * table + usize::from(symbol)];
                stream.extend(bits(code, length));
            }
            stream.extend(&token.bits);
        }
        for byte in stream.chunks(8) {
            let bits = (0..8).map(|bit| byte.get(bit).copied().unwrap_or(true));
            let byte = bits.fold(0, |byte, bit| byte << 1 | u8::from(bit));
            file.push(byte);
            if byte == 0xff {
                file.push(0);
            }
        }
    }
}

/// The markers before the frame, and the frame.
pub fn head(plan: &Plan) -> Vec<u8> {
    let mut factors = vec![0];
    factors.extend((0..64).map(|place| 1 + place / 4));
    let mut wide = vec![0x11];
    wide.extend((0..64_u16).flat_map(|place| (3 + place * 5).to_be_bytes()));
    let mut frame = vec![8];
    frame.extend((plan.height as u16).to_be_bytes());
    frame.extend((plan.width as u16).to_be_bytes());
    frame.push(plan.components.len() as u8);
    for (place, (across, down)) in plan.components.iter().enumerate() {
        let place = place as u8;
        frame.extend([place + 1, (across << 4 | down) as u8, place.min(1)]);
    }
    let mut file = vec![0xff, 0xd8];
    file.extend(segment(0xe0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0"));
    file.extend(segment(0xdb, &factors));
    file.extend(segment(0xdb, &wide));
    if plan.interval > 0 {
        file.extend(segment(0xdd, &(plan.interval as u16).to_be_bytes()));
    }
    let is_whole = |scan: &Scan| (scan.first, scan.last) == (0, 63);
    let is_sequential = plan.scans.iter().all(is_whole);
    file.extend(segment(if is_sequential { 0xc0 } else { 0xc2 }, &frame));
    file
}

/// A file of chance coefficients.
pub fn file(plan: &Plan) -> Vec<u8> {
    let mut noise = Noise(plan.width as u32 * 31 + plan.height as u32);
    let count = plan.components.len();
    let components = (0..count).map(|index| component(plan, index, &mut noise));
    let components: Vec<Component> = components.collect();
    let mut file = head(plan);
    for scan in &plan.scans {
        encode(plan, scan, &components, &mut file);
    }
    file.extend([0xff, 0xd9]);
    file
}
