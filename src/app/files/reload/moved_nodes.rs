//! Where the nodes are that the interface drew last: the file may be read again several times before it draws once more.

/// For what it keeps of nodes.
#[derive(Debug, Default)]
pub(in crate::app::files) struct MovedNodes {
    /// The model that was drawn last, by its [generation](crate::app::Session::model_generation).
    drawn: u64,
    /// For each of its nodes the place in the model that is shown.
    places: Vec<Option<usize>>,
}

impl MovedNodes {
    /// The interface has drawn this model.
    pub(in crate::app::files) fn draw(&mut self, generation: u64) {
        self.drawn = generation;
        self.places.clear();
    }

    /// The model of this generation is read again; `places` says of each of its nodes where it is then.
    pub(super) fn move_on(&mut self, generation: u64, places: Vec<Option<usize>>) {
        if self.drawn == generation {
            self.places = places;
            return;
        }
        for place in &mut self.places {
            *place = place.and_then(|place| *places.get(place)?);
        }
    }

    /// The model that was drawn last, and where its nodes are.
    pub(in crate::app::files) fn view(&self) -> (u64, &[Option<usize>]) {
        (self.drawn, &self.places)
    }
}
